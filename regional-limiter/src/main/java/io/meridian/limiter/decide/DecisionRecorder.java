package io.meridian.limiter.decide;

import io.meridian.limiter.decide.CheckResult.DecidedBy;
import io.meridian.limiter.metrics.CheckMetrics.CheckOutcome;
import io.meridian.limiter.metrics.LimiterMetrics;
import io.meridian.limiter.metrics.PolicyMetrics.LimitOutcome;
import io.meridian.limiter.metrics.PolicyMetrics.Provenance;
import io.meridian.limiter.region.Ports.LeaderContact;
import io.meridian.limiter.region.Ports.UsageAccounts;
import io.meridian.limiter.region.Ports.ViolationSink;
import io.meridian.model.decision.Decision;
import io.meridian.model.decision.Decision.LimitDecision;
import io.meridian.model.match.Check;
import io.meridian.model.policy.Coordination.Scope;
import io.meridian.model.policy.Enforcement.Action;
import io.meridian.model.time.TimeSource;
import java.util.List;

/** Records of a decision: meters, accounts of usage, violations, and the decision log. */
public final class DecisionRecorder {
    private final LimiterMetrics metrics;
    private final ViolationSink violations;
    private final DecisionLog log;
    private final UsageAccounts usage;
    private final LeaderContact leader;
    private final TimeSource time;

    DecisionRecorder(
            LimiterMetrics metrics,
            ViolationSink violations,
            DecisionLog log,
            UsageAccounts usage,
            LeaderContact leader,
            TimeSource time) {
        this.metrics = metrics;
        this.violations = violations;
        this.log = log;
        this.usage = usage;
        this.leader = leader;
        this.time = time;
    }

    long startNanos() {
        return time.monotonicNanos();
    }

    /**
     * @param exempt whether the client is on the allow list
     */
    <R extends CheckResult> R of(R ruling, Check check, boolean exempt, long startNanos) {
        if (ruling instanceof CheckResult.Decided decided) {
            limits(decided, check);
        }
        CheckOutcome outcome = exempt ? CheckOutcome.EXEMPT : outcome(ruling);
        metrics.checks().answered(outcome, time.monotonicNanos() - startNanos);
        log.decided(ruling, check, outcome);
        return ruling;
    }

    private void limits(CheckResult.Decided decided, Check check) {
        List<LimitDecision> evaluated = decided.decision().limits();
        for (int i = 0; i < evaluated.size(); i++) {
            LimitDecision each = evaluated.get(i);
            DecidedBy by = decided.limits().get(i).decidedBy();
            metrics.policies().decided(each.limit().policy(), outcome(each), provenance(by));
            if (each.limit().policy().coordination().scope() == Scope.GLOBAL) {
                metrics.usage().stale(leader.stalenessMillis(each.limit()));
            }
            if (by == DecidedBy.LEASE) {
                lease(each, decided.decision() instanceof Decision.Allowed);
            }
            boolean charged = by != DecidedBy.FALLBACK && decided.decision() instanceof Decision.Allowed;
            if (charged && each.admitted() && each.limit().cost() > 0) {
                usage.charged(each.limit(), each.limit().cost(), decided.nowMicros());
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

    private static CheckOutcome outcome(CheckResult ruling) {
        if (ruling instanceof CheckResult.Listed) {
            return CheckOutcome.LISTED;
        }
        if (!(ruling instanceof CheckResult.Decided decided)) {
            return CheckOutcome.UNDECIDED;
        }
        if (decided.limits().isEmpty()) {
            return CheckOutcome.UNMATCHED;
        }
        if (decided.decision() instanceof Decision.Denied) {
            return CheckOutcome.DENIED;
        }
        return decided.decision() instanceof Decision.Throttled ? CheckOutcome.THROTTLED : CheckOutcome.ALLOWED;
    }

    /** Port to the log of decisions, allowed and denied. */
    public interface DecisionLog {
        /** Keeps nothing. */
        DecisionLog NONE = (ruling, check, outcome) -> {};

        /** A check was decided. Called on the event loop for every check: never blocks or fails. */
        void decided(CheckResult ruling, Check check, CheckOutcome outcome);
    }
}
