package io.meridian.limiter.usage;

import io.meridian.limiter.decide.RegionClock;
import io.meridian.model.usage.RegionLife;
import io.meridian.model.wire.UsageRecord;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Tells for the record what this instance took of its region's own limits. For one thread. */
final class RegionalReporter {
    private final RegionLife self;
    private final UsageConfig config;
    private final RegionalTallies tallies;
    private final UsageSink log;
    private final RegionClock clock;
    private volatile boolean waiting;

    /** @param self this process as a life of its own: what it counts is not what others count */
    RegionalReporter(RegionLife self, UsageConfig config, RegionalTallies tallies, UsageSink log, RegionClock clock) {
        this.self = self;
        this.config = config;
        this.tallies = tallies;
        this.log = log;
        this.clock = clock;
    }

    private CompletionStage<Void> written(List<UsageRecord> records) {
        try {
            return log.write(records);
        } catch (RuntimeException unexpected) {
            return CompletableFuture.failedFuture(unexpected);
        }
    }

    void round() {
        if (waiting) {
            return;
        }
        long nowMicros = clock.nowMicros();
        List<UsageRecord> changed = tallies.changed(self, nowMicros, config.batchMax());
        if (changed.isEmpty()) {
            tallies.told(changed, nowMicros);
            return;
        }
        waiting = true;
        written(changed).whenComplete((acknowledged, failure) -> {
            if (failure == null) {
                tallies.told(changed, nowMicros);
            }
            waiting = false;
        });
    }
}
