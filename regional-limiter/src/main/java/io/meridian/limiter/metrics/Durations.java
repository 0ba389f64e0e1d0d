package io.meridian.limiter.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;

/** Timers as histograms with fixed buckets, which add up over instances as percentiles do not. */
final class Durations {
    /** The bounds of the promised figures, 1 ms and 10 ms, are among them. */
    private static final Duration[] BUCKETS = {
        Duration.ofNanos(100_000),
        Duration.ofNanos(250_000),
        Duration.ofNanos(500_000),
        Duration.ofMillis(1),
        Duration.ofNanos(2_500_000),
        Duration.ofMillis(5),
        Duration.ofMillis(10),
        Duration.ofMillis(25),
        Duration.ofMillis(50),
        Duration.ofMillis(100),
        Duration.ofMillis(250),
        Duration.ofMillis(500),
        Duration.ofSeconds(1)
    };

    /** For what crosses regions: up to a cut of a minute. */
    private static final Duration[] SLOW_BUCKETS = {
        Duration.ofMillis(10),
        Duration.ofMillis(25),
        Duration.ofMillis(50),
        Duration.ofMillis(100),
        Duration.ofMillis(150),
        Duration.ofMillis(250),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofMillis(2_500),
        Duration.ofSeconds(5),
        Duration.ofSeconds(10),
        Duration.ofSeconds(30),
        Duration.ofMinutes(1)
    };

    private Durations() {}

    static Timer timer(MeterRegistry registry, String name, String help) {
        return timer(registry, name, help, BUCKETS);
    }

    static Timer slowTimer(MeterRegistry registry, String name, String help) {
        return timer(registry, name, help, SLOW_BUCKETS);
    }

    private static Timer timer(MeterRegistry registry, String name, String help, Duration... buckets) {
        return Timer.builder(name)
                .description(help)
                .serviceLevelObjectives(buckets)
                .register(registry);
    }
}
