package io.meridian.limiter.decide;

import io.meridian.model.algorithm.CounterState;
import io.meridian.model.algorithm.Outcome.Standing;
import io.meridian.model.counter.CounterReply;
import io.meridian.model.decision.Decision;
import io.meridian.model.decision.Decision.LimitDecision;
import io.meridian.model.decision.MultiLimit;
import io.meridian.model.match.Limit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Result of a check, and the source of each part of it. */
public sealed interface CheckResult {
    /**
     * Decided by policies, if only by none that applies.
     *
     * @param limits for each limit of the decision, in its order
     * @param nowMicros the region's time of the decision
     * @param upgradeUrl where a client that is refused may get a higher tier; empty for all others
     */
    record Decided(Decision decision, List<LimitResult> limits, long nowMicros, Optional<String> upgradeUrl)
            implements CheckResult {
        /** The decision that the results of its limits come to. */
        public static Decided of(List<LimitResult> limits, long nowMicros) {
            List<LimitDecision> evaluated = new ArrayList<>(limits.size());
            for (int i = 0; i < limits.size(); i++) {
                evaluated.add(limits.get(i).evaluated());
            }
            return new Decided(MultiLimit.compose(evaluated), limits, nowMicros, Optional.empty());
        }

        /** A decision all of whose limits were decided by the same. */
        public static Decided by(DecidedBy source, Decision decision, long nowMicros) {
            List<LimitResult> limits = decision.limits().stream()
                    .map(each -> new LimitResult(each, source, null))
                    .toList();
            return new Decided(decision, limits, nowMicros, Optional.empty());
        }

        /** The same decision with the upgrade that its client is offered. */
        public Decided offering(Optional<String> url) {
            return url.isEmpty() ? this : new Decided(decision, limits, nowMicros, url);
        }

        /** Whether any limit was decided without the region's counters. */
        public boolean degraded() {
            for (int i = 0; i < limits.size(); i++) {
                if (limits.get(i).decidedBy() == DecidedBy.FALLBACK) {
                    return true;
                }
            }
            return false;
        }
    }

    /**
     * Result of one limit.
     *
     * @param globalUsage of a global limit that the region was asked for, its use here and elsewhere
     */
    record LimitResult(LimitDecision evaluated, DecidedBy decidedBy, CounterReply.@Nullable GlobalUsage globalUsage) {
        /** The result of a limit by an answer; {@code standing} may count leases in. */
        public static LimitResult of(Limit limit, CounterReply told, Standing standing, DecidedBy source) {
            LimitDecision evaluated =
                    new LimitDecision(limit, told.admitted(), standing, told.waitMicros(), CounterState.UNTOUCHED);
            return new LimitResult(
                    evaluated, told.globalUsage() == null ? source : DecidedBy.GLOBAL, told.globalUsage());
        }

        /** The result of a limit by this instance's memory. */
        public static LimitResult remembered(Limit limit, boolean admitted, Standing standing, long waitMicros) {
            LimitDecision evaluated = new LimitDecision(limit, admitted, standing, waitMicros, CounterState.UNTOUCHED);
            return new LimitResult(evaluated, DecidedBy.LEASE, null);
        }
    }

    /** The client is on the deny list. */
    record Listed(String identifierType, String identifier) implements CheckResult {}

    /** A policy that fails closed cannot be decided now. */
    record Undecided(Limit limit) implements CheckResult {}

    /** Source of a limit's result. */
    enum DecidedBy {
        /** A lease in this instance's memory, or a denial it remembers. */
        LEASE,
        /** The region's counter. */
        REGION,
        /** The region's account of a global limit. */
        GLOBAL,
        /** This instance alone, because the region's counters could not be reached. */
        FALLBACK;

        /** The name in answers. */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
