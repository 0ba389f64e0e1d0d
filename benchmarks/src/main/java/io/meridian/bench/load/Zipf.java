package io.meridian.bench.load;

import java.util.Arrays;

/** Zipf's distribution with exponent 1 over ranks from 0: rank r has a weight of 1 / (r + 1). */
final class Zipf {
    private final double[] cumulative;

    Zipf(int ranks) {
        if (ranks < 1) {
            throw new IllegalArgumentException("ranks must be positive, got " + ranks);
        }
        cumulative = new double[ranks];
        double sum = 0;
        for (int rank = 0; rank < ranks; rank++) {
            sum += 1.0 / (rank + 1);
            cumulative[rank] = sum;
        }
        for (int rank = 0; rank < ranks; rank++) {
            cumulative[rank] /= sum;
        }
    }

    /** The rank at which the distribution reaches {@code share}, from 0 to below 1. */
    int rank(double share) {
        int found = Arrays.binarySearch(cumulative, share);
        return found < 0 ? -found - 1 : found + 1;
    }
}
