/** The simulation, held against itself: it repeats itself, it finds what is broken, and it finds nothing in what is not. */
@NullMarked
package io.meridian.chaos.sim;

import org.jspecify.annotations.NullMarked;
