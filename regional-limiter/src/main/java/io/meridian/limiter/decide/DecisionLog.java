package io.meridian.limiter.decide;

import io.meridian.limiter.metrics.CheckMetrics.CheckOutcome;
import io.meridian.model.match.Check;

/** The port to those who keep a log of decisions, allowed and denied. */
public interface DecisionLog {
    /** Keeps nothing. */
    DecisionLog NONE = (ruling, check, outcome) -> {};

    /** A check was decided. Called on the event loop for every check: never blocks or fails. */
    void decided(Ruling ruling, Check check, CheckOutcome outcome);
}
