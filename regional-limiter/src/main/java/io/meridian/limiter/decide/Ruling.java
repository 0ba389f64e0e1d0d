package io.meridian.limiter.decide;

import io.meridian.model.counter.CounterReply;
import io.meridian.model.decision.Decision;
import io.meridian.model.match.Limit;
import java.util.List;
import java.util.Optional;

/** The answer to a check, and where it came from. */
public sealed interface Ruling {
    /**
     * Decided by policies, if only by none that applies.
     *
     * @param decidedBy for each limit of the decision, in its order
     * @param nowMicros the region's time of the decision
     * @param shared what the region knows of each limit that regions share, in the same order where it was asked; else empty
     * @param upgradeUrl where a client that is refused may get a higher tier; empty for all others
     */
    record Decided(
            Decision decision,
            List<DecidedBy> decidedBy,
            long nowMicros,
            List<Optional<CounterReply.GlobalUsage>> shared,
            Optional<String> upgradeUrl)
            implements Ruling {
        public Decided(Decision decision, List<DecidedBy> decidedBy, long nowMicros) {
            this(decision, decidedBy, nowMicros, List.of());
        }

        public Decided(
                Decision decision, List<DecidedBy> decidedBy, long nowMicros, List<Optional<CounterReply.GlobalUsage>> shared) {
            this(decision, decidedBy, nowMicros, shared, Optional.empty());
        }

        /** The same decision with the upgrade that its client is offered. */
        Decided offering(Optional<String> url) {
            return url.isEmpty() ? this : new Decided(decision, decidedBy, nowMicros, shared, url);
        }

        /** Whether any limit was decided without the region's counters. */
        public boolean degraded() {
            return decidedBy.contains(DecidedBy.FALLBACK);
        }
    }

    /** The client is on the deny list. */
    record Listed(String identifierType, String identifier) implements Ruling {}

    /** A policy that fails closed cannot be decided now. */
    record Undecided(Limit limit) implements Ruling {}
}
