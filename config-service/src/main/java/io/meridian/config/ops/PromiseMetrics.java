package io.meridian.config.ops;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Metrics of the promise ledger. A window is counted by the replica that judges it. */
@Singleton
public class PromiseMetrics {
    private static final String WINDOWS = "meridian.config.promises.windows";
    private static final String ADMITTED = "meridian.config.promises.admitted.units";
    private static final String LIMIT = "meridian.config.promises.limit.units";
    private static final String OVER = "meridian.config.promises.over.units";

    private final Map<Outcome, Counter> windows = new EnumMap<>(Outcome.class);
    private final Counter admitted;
    private final Counter limit;
    private final Counter over;

    /** Outcome of the judgement of a window. */
    public enum Outcome {
        KEPT,
        BROKEN,
        /** More than the bound was admitted, and the bound is not known. */
        UNKNOWN;

        public static Outcome of(@Nullable Boolean kept) {
            return kept == null ? UNKNOWN : kept ? KEPT : BROKEN;
        }
    }

    public PromiseMetrics(MeterRegistry registry) {
        for (Outcome outcome : Outcome.values()) {
            windows.put(
                    outcome,
                    Counter.builder(WINDOWS)
                            .description("Ended windows of global limits by whether their bound was kept")
                            .tag("outcome", outcome.name().toLowerCase(Locale.ROOT))
                            .register(registry));
        }
        admitted = counter(registry, ADMITTED, "Units admitted in judged windows, at their first judgement");
        limit = counter(registry, LIMIT, "Limits of these windows, all keys together");
        over = counter(registry, OVER, "Units admitted above the bounds of broken promises");
    }

    private static Counter counter(MeterRegistry registry, String name, String help) {
        return Counter.builder(name).description(help).register(registry);
    }

    public void judged(Outcome outcome) {
        Objects.requireNonNull(windows.get(outcome)).increment();
    }

    public void admitted(long units, long limitUnits) {
        admitted.increment((double) units);
        limit.increment((double) limitUnits);
    }

    public void over(long units) {
        over.increment((double) units);
    }
}
