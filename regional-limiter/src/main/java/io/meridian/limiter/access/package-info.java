/** Who may call the limiter, and for what: the tokens of its callers and their scopes. */
@NullMarked
package io.meridian.limiter.access;

import org.jspecify.annotations.NullMarked;
