package io.meridian.limiter.decide;

import io.meridian.model.decide.Decision;
import io.meridian.model.lease.Told;
import io.meridian.model.match.Limit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The answer to a check, and where it came from. */
public sealed interface CheckResult {
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
            List<Optional<Told.Shared>> shared,
            Optional<String> upgradeUrl)
            implements CheckResult {
        public Decided(Decision decision, List<DecidedBy> decidedBy, long nowMicros) {
            this(decision, decidedBy, nowMicros, List.of());
        }

        public Decided(
                Decision decision, List<DecidedBy> decidedBy, long nowMicros, List<Optional<Told.Shared>> shared) {
            this(decision, decidedBy, nowMicros, shared, Optional.empty());
        }

        /** The same decision with the upgrade that its client is offered. */
        public Decided offering(Optional<String> url) {
            return url.isEmpty() ? this : new Decided(decision, decidedBy, nowMicros, shared, url);
        }

        /** Whether any limit was decided without the region's counters. */
        public boolean degraded() {
            return decidedBy.contains(DecidedBy.FALLBACK);
        }
    }

    /** The client is on the deny list. */
    record Listed(String identifierType, String identifier) implements CheckResult {}

    /** A policy that fails closed cannot be decided now. */
    record Undecided(Limit limit) implements CheckResult {}

    /** What decided a limit. */
    enum DecidedBy {
        /** A lease in this instance's memory, or a denial it remembers. */
        LEASE,
        /** The region's counter. */
        REGION,
        /** The usage of the whole world. */
        GLOBAL,
        /** This instance alone, because the region's counters were away. */
      FALLBACK;

        /** The name in answers. */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
