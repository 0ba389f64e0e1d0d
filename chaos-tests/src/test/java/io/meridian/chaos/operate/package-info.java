/** What operators do with a whole stack: observe it, and add a region to it. */
@NullMarked
package io.meridian.chaos.operate;

import org.jspecify.annotations.NullMarked;
