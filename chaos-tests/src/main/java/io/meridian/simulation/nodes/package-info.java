/** Simulated processes: production's limiter and sync replica cores, wired to simulated Redis and Kafka. */
@NullMarked
package io.meridian.simulation.nodes;

import org.jspecify.annotations.NullMarked;
