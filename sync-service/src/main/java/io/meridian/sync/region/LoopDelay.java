package io.meridian.sync.region;

/** How long a region's usage took to be in a committed verdict, in the last minute. */
public record LoopDelay(double p50Millis, double p99Millis, double maxMillis) {}
