package io.meridian.limiter.decide;

import io.meridian.model.time.TimeSource;
import io.quarkus.runtime.StartupEvent;
import io.vertx.core.Vertx;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The load that was last reported to any instance of the region: shared through the store, believed for a while. */
@Singleton
class RegionLoad implements Load, LoadReport {
    private static final String KEY = "load";

    private final RegionStore store;
    private final LoadConfig config;
    private final Vertx vertx;
    private final TimeSource time;
    private volatile @Nullable Report last;

    private record Report(Optional<Integer> percent, long atNanos) {}

    RegionLoad(RegionStore store, LoadConfig config, Vertx vertx, TimeSource time) {
        this.store = store;
        this.config = config;
        this.vertx = vertx;
        this.time = time;
    }

    void start(@Observes StartupEvent event) {
        vertx.setPeriodic(config.readEvery().toMillis(), ignored -> store.get(KEY)
                .thenAccept(told -> told.ifPresent(percent -> learn(Integer.parseInt(percent)))));
    }

    @Override
    public void report(int percent) {
        learn(percent);
        store.put(KEY, Integer.toString(percent), config.believedFor());
    }

    @Override
    public Optional<Integer> percent() {
        Report report = last;
        long believedNanos = config.believedFor().toNanos();
        return report != null && time.monotonicNanos() - report.atNanos < believedNanos
                ? report.percent
                : Optional.empty();
    }

    private void learn(int percent) {
        last = new Report(Optional.of(percent), time.monotonicNanos());
    }
}
