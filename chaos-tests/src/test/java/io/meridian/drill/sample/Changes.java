package io.meridian.drill.sample;

import io.meridian.drill.history.Event.Checked;
import io.meridian.drill.history.Event.Outcome;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

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

    /** The client waited no longer. */
    public static Checked failed(Checked checked) {
        return failed(checked, true, "no answer in 2 s");
    }

    /** Answered with no decision. */
    public static Checked refused(Checked checked) {
        return failed(checked, false, "status 503");
    }

    /** Sent so long after it was due. */
    public static UnaryOperator<Checked> late(long millis) {
        return checked -> new Checked(
                checked.atNanos(),
                TimeUnit.MILLISECONDS.toMicros(millis),
                checked.answeredNanos(),
                checked.region(),
                checked.policy(),
                checked.outcome(),
                checked.windowEndMicros(),
                checked.degraded(),
                checked.gaveUp(),
                checked.reason());
    }

    private static Checked failed(Checked checked, boolean gaveUp, String reason) {
        return new Checked(
                checked.atNanos(),
                checked.lateMicros(),
                checked.answeredNanos(),
                checked.region(),
                checked.policy(),
                Outcome.FAILED,
                0,
                false,
                gaveUp,
                reason);
    }

    private static Checked with(Checked checked, Outcome outcome, boolean degraded) {
        return new Checked(
                checked.atNanos(),
                checked.lateMicros(),
                checked.answeredNanos(),
                checked.region(),
                checked.policy(),
                outcome,
                checked.windowEndMicros(),
                degraded,
                false,
                "");
    }
}
