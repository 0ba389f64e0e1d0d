package io.meridian.limiter.operations;

import io.meridian.limiter.metrics.LimiterMetrics;
import io.meridian.limiter.metrics.RulesMetrics;
import io.meridian.limiter.metrics.RulesMetrics.RulesSource;
import io.meridian.limiter.region.RegionCounters;
import io.meridian.limiter.rules.ActiveRules;
import io.meridian.limiter.rules.RulesInEffect.RulesStatus;
import io.meridian.model.policy.Policy;
import io.quarkus.runtime.StartupEvent;
import io.vertx.core.Vertx;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.List;
import org.jboss.logging.Logger;

/**
 * Watch of the rules in effect, for the metrics and for the log: it says which policies in escrow this region's counters cannot
 * hold, whose checks are refused.
 */
@Singleton
class RulesWatch {
    private static final Logger LOG = Logger.getLogger(RulesWatch.class);
    private static final long LOOK_EVERY_MILLIS = 1_000;
    private static final int POLICIES_NAMED_MAX = 20;

    private final Vertx vertx;
    private final ActiveRules rulesInEffect;
    private final RegionCounters counters;
    private final RulesMetrics metrics;
    private List<String> unheld = List.of();
    private long changedMicros = -1;
    private long confirmedMicros;

    RulesWatch(Vertx vertx, ActiveRules rulesInEffect, RegionCounters counters, LimiterMetrics metrics) {
        this.vertx = vertx;
        this.counters = counters;
        this.rulesInEffect = rulesInEffect;
        this.metrics = metrics.rules();
    }

    void start(@Observes StartupEvent event) {
        look();
        vertx.setPeriodic(LOOK_EVERY_MILLIS, ignored -> look());
    }

    private synchronized void look() {
        RulesStatus status = rulesInEffect.status();
        if (status.changedMicros() != changedMicros) {
            metrics.loaded(source(status), status.policies());
            lookForEscrow();
        } else if (status.confirmedMicros() != confirmedMicros) {
            metrics.confirmed();
        }
        metrics.revision(status.revision());
        changedMicros = status.changedMicros();
        confirmedMicros = status.confirmedMicros();
    }

    private void lookForEscrow() {
        if (counters.holdsEscrow()) {
            return;
        }
        List<String> now = rulesInEffect.rules().policies().values().stream()
                .filter(policy -> policy.enabled() && policy.coordination().isEscrow())
                .map(Policy::id)
                .sorted()
                .toList();
        metrics.escrowRefused(now.size());
        if (!now.equals(unheld) && !now.isEmpty()) {
            LOG.errorf(
                    "checks of policies in escrow are refused in this region, because its Redis is a cluster, in which it is not noticed"
                            + " that a node lost what was granted; use one server or sentinels, or mode converge: policies=%d %s",
                    now.size(), now.subList(0, Math.min(POLICIES_NAMED_MAX, now.size())));
        }
        unheld = now;
    }

    private static RulesSource source(RulesStatus status) {
        return switch (status.origin()) {
            case FILE -> RulesSource.FILE;
            case TOPIC -> RulesSource.TOPIC;
            case COPY -> RulesSource.LAST_KNOWN_GOOD;
            case DEFAULTS -> RulesSource.BUILT_IN;
        };
    }
}
