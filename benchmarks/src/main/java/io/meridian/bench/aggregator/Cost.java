package io.meridian.bench.aggregator;

/** What limits cost a leader: memory for each, and time for each that changed. */
record Cost(double bytesPerLimit, double bestNanos, double medianNanos) {}
