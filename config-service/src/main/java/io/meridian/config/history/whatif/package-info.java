/** Simulation of draft policies on recorded usage. */
@NullMarked
package io.meridian.config.history.whatif;

import org.jspecify.annotations.NullMarked;
