/** Simulated world: virtual time, clocks, links, load, and the faults that are injected. */
@NullMarked
package io.meridian.simulation.world;

import org.jspecify.annotations.NullMarked;
