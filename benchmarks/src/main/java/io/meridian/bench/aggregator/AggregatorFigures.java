package io.meridian.bench.aggregator;

import io.meridian.bench.aggregator.LeaderMemory.Cost;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Prints what the leader's memory of limits costs, at ten thousand, a million and ten million live limits that all five regions
 * use: bytes for each, and the time that a changed one takes, from its usage record to the verdicts on it.
 */
public final class AggregatorFigures {
    private static final double BYTES_MAX = 160;
    private static final double RATIO_MAX = 2;
    private static final List<Integer> SIZES = List.of(10_000, 1_000_000, 10_000_000);
    private static final List<Integer> BRIEF = List.of(1_000, 10_000);

    private AggregatorFigures() {}

    public static void main(String[] args) {
        List<Integer> sizes = Arrays.asList(args).contains("--short") ? BRIEF : SIZES;
        List<Cost> costs = new ArrayList<>();
        // Once more at the smallest size before anything counts, so that all code is compiled.
        Cost unused = LeaderMemory.measure(sizes.get(0));
        for (int size : sizes) {
            Cost cost = LeaderMemory.measure(size);
            costs.add(cost);
            print(
                    "%,11d limits: %6.1f bytes each, %7.0f ns for a changed one (best of %d rounds; median %.0f)",
                    size, cost.bytesPerLimit(), cost.bestNanos(), LeaderMemory.ROUNDS, cost.medianNanos());
        }
        double bytes = costs.stream().mapToDouble(Cost::bytesPerLimit).max().orElseThrow();
        double ratio = costs.get(costs.size() - 1).bestNanos() / costs.get(0).bestNanos();
        print("bytes per limit: %.1f, at most %.0f: %s", bytes, BYTES_MAX, met(bytes <= BYTES_MAX));
        print(
                "time for a changed limit, largest / smallest: %.2f, at most %.0f: %s",
                ratio, RATIO_MAX, met(ratio <= RATIO_MAX));
    }

    private static String met(boolean met) {
        return met ? "met" : "NOT MET";
    }

    private static void print(String format, Object... values) {
        System.out.println(String.format(Locale.ROOT, format, values));
    }
}
