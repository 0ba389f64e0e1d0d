package io.meridian.bench.limiter;

import java.util.List;
import java.util.function.ToDoubleFunction;

/** The middle of some values, or the mean of the two in the middle. */
final class Median {
    private Median() {}

    static <T> double of(List<T> things, ToDoubleFunction<T> value) {
        double[] sorted = things.stream().mapToDouble(value).sorted().toArray();
        if (sorted.length == 0) {
            throw new IllegalArgumentException("There is no middle of nothing");
        }
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }
}
