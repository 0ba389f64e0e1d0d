/** Leadership of partitions without I/O: takeover, ticks and sweeps, as production and the simulation run them. */
@NullMarked
package io.meridian.sync.leader;

import org.jspecify.annotations.NullMarked;
