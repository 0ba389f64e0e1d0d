/** The whole local stack: started, supervised and stopped in order. */
@NullMarked
package io.meridian.stack;

import org.jspecify.annotations.NullMarked;
