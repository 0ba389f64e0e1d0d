package io.meridian.testkit.load;

import java.util.Arrays;
import java.util.PrimitiveIterator;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/** Distribution of keys over requests, one after the other. */
@FunctionalInterface
public interface Keys {
    long next();

    /** The same key, always. */
    static Keys one(long key) {
        return () -> key;
    }

    /** Each key once, from {@code first} on. */
    static Keys fresh(long first) {
        PrimitiveIterator.OfLong numbers =
                LongStream.iterate(first, number -> number + 1).iterator();
        return numbers::nextLong;
    }

    /** The keys below {@code count}, each as likely as the others. */
    static Keys uniform(int count, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        return () -> random.nextLong(count);
    }

    /** The keys below {@code count}, the n-th n times as rare as the first. */
    static Keys zipf(int count, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Zipf zipf = new Zipf(count);
        return () -> zipf.rank(random.nextDouble());
    }

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
}
