/** The rulebook and its changes: what they may be, and what follows from them. */
@NullMarked
package io.meridian.config.rules;

import org.jspecify.annotations.NullMarked;
