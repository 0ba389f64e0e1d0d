package io.meridian.limiter.redis;

import io.meridian.model.algorithm.Algorithm;

/** The numbers of algorithms in the script, and of their layouts in stored keys: never to be given to another. */
final class AlgorithmCode {
    private AlgorithmCode() {}

    static int of(Algorithm algorithm) {
        return switch (algorithm) {
            case FIXED_WINDOW -> 0;
            case SLIDING_WINDOW_LOG -> 1;
            case SLIDING_WINDOW_COUNTER -> 2;
            case SLIDING_WINDOW_ESTIMATE -> 3;
            case TOKEN_BUCKET -> 4;
            case LEAKY_BUCKET -> 5;
            case GCRA -> 6;
        };
    }

    /** The number in stored keys, another one since the layout became another, so that no value is read as what it is not. */
    static int layout(Algorithm algorithm) {
        return algorithm == Algorithm.SLIDING_WINDOW_COUNTER ? 7 : of(algorithm);
    }
}
