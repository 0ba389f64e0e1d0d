package io.meridian.bench.limiter;

import java.time.Duration;

/**
 * How much is measured.
 *
 * @param warmUpRequests of either side of a comparison, before it: compilers count calls, not seconds
 * @param phase how long one side runs at a time
 * @param rounds how often the sides of a comparison alternate
 * @param coldKeys how many keys are asked about once, over all rounds
 * @param latencies how long requests are sent at a rate, in each round
 */
record Scale(int warmUpRequests, Duration phase, int rounds, int coldKeys, Duration latencies) {
    /** For figures. */
    static final Scale FULL = new Scale(40_000, Duration.ofMillis(1_500), 5, 1_000_000, Duration.ofSeconds(3));

    /** For a proof that it runs; what it prints means nothing. */
    static final Scale SHORT = new Scale(100, Duration.ofMillis(100), 1, 1_000, Duration.ofMillis(300));
}
