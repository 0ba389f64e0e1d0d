package io.meridian.model.algorithm;

/** Something that was admitted, as the oracles remember it. */
record Taken(long atMicros, long cost) {}
