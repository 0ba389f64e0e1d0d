package io.meridian.limiter.decide;

import io.meridian.limiter.metrics.LimiterMetrics;
import io.meridian.limiter.metrics.RulebookMetrics;
import io.meridian.limiter.metrics.RulebookSource;
import io.meridian.limiter.policy.RulebookStatus;
import io.meridian.limiter.policy.Rulebooks;
import io.quarkus.runtime.StartupEvent;
import io.vertx.core.Vertx;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

/** Tells the metrics which rulebook is in effect, and when its source was last heard from. */
@Singleton
class RulebookWatch {
    private static final long LOOK_EVERY_MILLIS = 1_000;

    private final Vertx vertx;
    private final Rulebooks rulebooks;
    private final RulebookMetrics metrics;
    private long changedMicros = -1;
    private long confirmedMicros;

    RulebookWatch(Vertx vertx, Rulebooks rulebooks, LimiterMetrics metrics) {
        this.vertx = vertx;
        this.rulebooks = rulebooks;
        this.metrics = metrics.rulebook();
    }

    void start(@Observes StartupEvent event) {
        look();
        vertx.setPeriodic(LOOK_EVERY_MILLIS, ignored -> look());
    }

    private synchronized void look() {
        RulebookStatus status = rulebooks.status();
        if (status.changedMicros() != changedMicros) {
            metrics.loaded(source(status), status.policies());
        } else if (status.confirmedMicros() != confirmedMicros) {
            metrics.confirmed();
        }
        metrics.revision(status.revision());
        changedMicros = status.changedMicros();
        confirmedMicros = status.confirmedMicros();
    }

    private static RulebookSource source(RulebookStatus status) {
        return switch (status.origin()) {
            case FILE -> RulebookSource.FILE;
            case TOPIC -> RulebookSource.TOPIC;
            case COPY -> RulebookSource.LAST_KNOWN_GOOD;
            case DEFAULTS -> RulebookSource.BUILT_IN;
        };
    }
}
