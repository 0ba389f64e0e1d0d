/** A whole stack as operators observe it. */
@NullMarked
package io.meridian.stacktests.operate;

import org.jspecify.annotations.NullMarked;
