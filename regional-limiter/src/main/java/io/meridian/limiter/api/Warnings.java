package io.meridian.limiter.api;

import io.meridian.model.algorithm.Outcome.Standing;
import io.meridian.model.decision.Decision.LimitDecision;
import org.jspecify.annotations.Nullable;

/** What an answer warns of before a limit stops anything. */
final class Warnings {
    private Warnings() {}

    /** Null if there is nothing to warn of. */
    static @Nullable String of(LimitDecision evaluated) {
        String id = evaluated.limit().policy().id();
        if (evaluated.shadow() && !evaluated.admitted()) {
            return "policy " + id + " would deny this request, but only logs";
        }
        if (!evaluated.warns()) {
            return null;
        }
        Standing standing = evaluated.standing();
        long percent = (standing.limit() - standing.remaining()) * 100 / standing.limit();
        return "policy " + id + " has " + percent + " % of its limit used";
    }
}
