package io.meridian.limiter.decide;

import io.meridian.model.algorithm.Outcome.Standing;
import io.meridian.model.match.Check;
import io.meridian.model.match.Limit;

/** The port to those who want to know of denials. */
public interface Violations {
    /** Tells nobody. */
    Violations UNTOLD = (limit, standing, check, shadow, nowMicros) -> {};

    /**
     * A limit refused a check. Called on the event loop for every denial: takes well under a microsecond, and never blocks or
     * fails.
     *
     * @param standing the counter that refused
     * @param shadow whether the policy only records, so that the check was not denied by it
     * @param nowMicros the region's time
     */
    void refused(Limit limit, Standing standing, Check check, boolean shadow, long nowMicros);
}
