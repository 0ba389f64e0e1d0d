package io.meridian.bench.load;

import java.util.PrimitiveIterator;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/** Which key each request names, one after the other. */
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
}
