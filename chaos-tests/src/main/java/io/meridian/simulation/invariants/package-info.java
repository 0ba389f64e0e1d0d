/** Invariants of the protocol, checked at every step and at the end of a history. */
@NullMarked
package io.meridian.simulation.invariants;

import org.jspecify.annotations.NullMarked;
