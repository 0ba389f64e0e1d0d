/** Bearer tokens as they are kept: by their hash, and those of a limiter's callers with a name and scopes. */
@NullMarked
package io.meridian.model.access;

import org.jspecify.annotations.NullMarked;
