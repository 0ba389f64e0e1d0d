/** Files that a limiter follows while it runs. */
@NullMarked
package io.meridian.limiter.file;

import org.jspecify.annotations.NullMarked;
