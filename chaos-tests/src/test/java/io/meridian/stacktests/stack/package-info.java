@NullMarked
package io.meridian.chaos.stack;

import org.jspecify.annotations.NullMarked;
