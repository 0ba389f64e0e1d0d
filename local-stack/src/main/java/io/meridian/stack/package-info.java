/** The whole local stack: started, supervised, stopped in order. */
@NullMarked
package io.meridian.stack;

import org.jspecify.annotations.NullMarked;
