package io.meridian.chaos.drill.sample;

import io.meridian.chaos.drill.history.Event.Checked;
import io.meridian.chaos.drill.history.Event.Outcome;

/** Checks that went another way. */
public final class Changes {
    private Changes() {}

    public static Checked allowed(Checked checked) {
        return with(checked, Outcome.ALLOWED, checked.degraded());
    }

    public static Checked denied(Checked checked) {
        return with(checked, Outcome.DENIED, checked.degraded());
    }

    public static Checked degraded(Checked checked) {
        return with(checked, checked.outcome(), true);
    }

    /** Not answered in time. */
    public static Checked failed(Checked checked) {
        return new Checked(
                checked.atNanos(),
                checked.answeredNanos(),
                checked.region(),
                checked.policy(),
                Outcome.FAILED,
                0,
                false,
                "no answer in 2 s");
    }

    private static Checked with(Checked checked, Outcome outcome, boolean degraded) {
        return new Checked(
                checked.atNanos(),
                checked.answeredNanos(),
                checked.region(),
                checked.policy(),
                outcome,
                checked.windowEndMicros(),
                degraded,
                "");
    }
}
