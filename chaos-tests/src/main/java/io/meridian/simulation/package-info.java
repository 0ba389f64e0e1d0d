/**
 * Deterministic simulation of the whole protocol in one thread under virtual time: the production code of limiters and sync replicas, over a
 * simulated network, Redis, Kafka and clocks.
 */
@NullMarked
package io.meridian.simulation;

import org.jspecify.annotations.NullMarked;
