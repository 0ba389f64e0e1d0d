/** Periodic tasks, and files whose changes are applied while a limiter runs. */
@NullMarked
package io.meridian.limiter.file;

import org.jspecify.annotations.NullMarked;
