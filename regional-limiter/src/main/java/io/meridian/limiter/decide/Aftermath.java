package io.meridian.limiter.decide;

import io.meridian.limiter.metrics.CheckOutcome;
import io.meridian.limiter.metrics.LimitOutcome;
import io.meridian.limiter.metrics.LimiterMetrics;
import io.meridian.limiter.metrics.Provenance;
import io.meridian.model.decision.Decision.LimitDecision;
import io.meridian.model.decision.Decision;
import io.meridian.model.match.Check;
import io.meridian.model.policy.Coordination.Scope;
import io.meridian.model.policy.Enforcement.Action;
import io.meridian.model.time.TimeSource;
import jakarta.inject.Singleton;
import java.util.List;

/** What follows from a ruling: it is counted, every refusal is told, and the log of decisions may note it. */
@Singleton
class Aftermath {
    private final LimiterMetrics metrics;
    private final Violations violations;
    private final DecisionLog log;
    private final Usage usage;
    private final Centre centre;
    private final TimeSource time;

    Aftermath(
            LimiterMetrics metrics,
            Violations violations,
            DecisionLog log,
            Usage usage,
            Centre centre,
            TimeSource time) {
        this.metrics = metrics;
        this.violations = violations;
        this.log = log;
        this.usage = usage;
        this.centre = centre;
        this.time = time;
    }

    long startNanos() {
        return time.monotonicNanos();
    }

    /**
     * @param exempt whether the client is on the allow list
     */
    <R extends Ruling> R of(R ruling, Check check, boolean exempt, long startNanos) {
        if (ruling instanceof Ruling.Decided decided) {
            limits(decided, check);
        }
        CheckOutcome outcome = exempt ? CheckOutcome.EXEMPT : outcome(ruling);
        metrics.checks().answered(outcome, time.monotonicNanos() - startNanos);
        log.decided(ruling, check, outcome);
        return ruling;
    }

    private void limits(Ruling.Decided decided, Check check) {
        List<LimitDecision> evaluated = decided.decision().limits();
        for (int i = 0; i < evaluated.size(); i++) {
            LimitDecision each = evaluated.get(i);
            DecidedBy by = decided.decidedBy().get(i);
            metrics.policies().decided(each.limit().policy(), outcome(each), provenance(by));
            if (each.limit().policy().coordination().scope() == Scope.GLOBAL) {
                metrics.usage().stale(centre.stalenessMillis(each.limit()));
            }
            if (by == DecidedBy.LEASE) {
                lease(each, decided.decision() instanceof Decision.Allowed);
            }
            boolean charged = by != DecidedBy.FALLBACK && decided.decision() instanceof Decision.Allowed;
            if (charged && each.admitted() && each.limit().cost() > 0) {
                usage.took(each.limit(), each.limit().cost(), decided.nowMicros());
            }
            if (!each.admitted()) {
                violations.refused(each.limit(), each.standing(), check, each.shadow(), decided.nowMicros());
            }
        }
        if (decided.degraded()) {
            metrics.checks().degraded();
        }
    }

    private void lease(LimitDecision each, boolean allowed) {
        if (!each.admitted()) {
            metrics.leases().deniedFromMemory();
        } else if (allowed) {
            metrics.leases().spent(each.limit().cost());
        }
    }

    private static LimitOutcome outcome(LimitDecision each) {
        if (each.admitted()) {
            return LimitOutcome.ALLOWED;
        }
        if (each.shadow()) {
            return LimitOutcome.SHADOW_DENIED;
        }
        return each.limit().policy().enforcement().action() == Action.THROTTLE
                ? LimitOutcome.THROTTLED
                : LimitOutcome.DENIED;
    }

    private static Provenance provenance(DecidedBy by) {
        return switch (by) {
            case LEASE -> Provenance.LEASE;
            case REGION -> Provenance.REGION;
            case GLOBAL -> Provenance.GLOBAL;
            case FALLBACK -> Provenance.FALLBACK;
        };
    }

    private static CheckOutcome outcome(Ruling ruling) {
        if (ruling instanceof Ruling.Listed) {
            return CheckOutcome.LISTED;
        }
        if (!(ruling instanceof Ruling.Decided decided)) {
            return CheckOutcome.UNDECIDED;
        }
        if (decided.decidedBy().isEmpty()) {
            return CheckOutcome.UNMATCHED;
        }
        if (decided.decision() instanceof Decision.Denied) {
            return CheckOutcome.DENIED;
        }
        return decided.decision() instanceof Decision.Throttled ? CheckOutcome.THROTTLED : CheckOutcome.ALLOWED;
    }
}
