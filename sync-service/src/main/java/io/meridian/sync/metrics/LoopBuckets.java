package io.meridian.sync.metrics;

import io.micrometer.core.instrument.Timer;
import java.time.Duration;

/** Timers as histograms with fixed buckets, which add up over replicas as percentiles do not. */
public final class LoopBuckets {
    private static final Duration[] BUCKETS = {
        Duration.ofMillis(5),
        Duration.ofMillis(10),
        Duration.ofMillis(25),
        Duration.ofMillis(50),
        Duration.ofMillis(75),
        Duration.ofMillis(100),
        Duration.ofMillis(150),
        Duration.ofMillis(250),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofMillis(2_500),
        Duration.ofSeconds(5),
        Duration.ofSeconds(10)
    };

    private LoopBuckets() {}

    public static Timer.Builder timer(String name, String help) {
        return Timer.builder(name).description(help).serviceLevelObjectives(BUCKETS);
    }
}
