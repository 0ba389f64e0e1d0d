package io.meridian.model.decide;

import io.meridian.model.algorithm.Outcome;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The answer to a check for all its limits together: all or nothing. */
public sealed interface Decision {
    /** Every limit, in the order of evaluation. */
    List<Evaluated> evaluated();

    /** The most restrictive limit, or null if no policy applies. */
    @Nullable Evaluated deciding();

    /** Every limit admits (but for shadows) and was charged; the request may start after {@code delayMicros}. */
    record Allowed(List<Evaluated> evaluated, @Nullable Evaluated deciding, long delayMicros) implements Decision {}

    /** A limit refuses and nothing was charged anywhere. It fits after {@code retryAfterMicros}, if ever. */
    record Denied(List<Evaluated> evaluated, Evaluated deciding, long retryAfterMicros) implements Decision {
        /** Whether no waiting will help, because the cost is above a limit. */
        public boolean forGood() {
            return retryAfterMicros == Outcome.NEVER;
        }
    }

    /** Only throttling limits refuse: nothing was charged, and the request is to come again after the delay. */
    record Throttled(List<Evaluated> evaluated, Evaluated deciding, long delayMicros) implements Decision {}
}
