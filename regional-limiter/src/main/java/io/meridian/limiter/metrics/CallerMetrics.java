package io.meridian.limiter.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.concurrent.atomic.LongAdder;

/** Bearer tokens by what they were worth, and reads of the key set that verifies them. */
public final class CallerMetrics {
    private final Counts<TokenOutcome> tokens;
    private final LongAdder read;
    private final LongAdder failed;

    CallerMetrics(MeterRegistry registry) {
        tokens = new Counts<>(
                registry,
                LimiterMetrics.CALLER_TOKENS,
                "Bearer tokens of forwarded requests",
                Tags.empty(),
                "outcome",
                TokenOutcome.class);
        read = Counts.adder(registry, LimiterMetrics.JWKS_READ, "Reads of the JWKS", Tags.empty());
        failed = Counts.adder(registry, LimiterMetrics.JWKS_FAILED, "Reads of the JWKS that failed", Tags.empty());
    }

    public void token(TokenOutcome outcome) {
        tokens.add(outcome, 1);
    }

    public void jwksRead(boolean succeeded) {
        (succeeded ? read : failed).increment();
    }
}
