package io.meridian.chaos.drill.verdict;

import io.meridian.chaos.drill.history.Event.LoopSeen;
import io.meridian.chaos.drill.history.Event.WorldSplit;
import io.meridian.chaos.drill.history.History;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;

/**
 * How slow the loop was, as far as it was the loop. A region tells of the slowest of its last minute, so after a heal that is the
 * cut, for a minute, which the number of parts already stands for. In that minute a sample counts as far as the loop was known
 * to be slow before the cut, or the region has heard nothing since the heal.
 */
final class LoopDelay {
    /** What a region remembers, and a margin for when it was sampled. */
    static final long REMEMBERED_NANOS = TimeUnit.SECONDS.toNanos(65);
    /** Between two reports. */
    private static final double REPORT_MILLIS = 100;

    private record Sample(long atNanos, double millis) {}

    private final List<WorldSplit> splits;
    private final double wholeMillis;
    private final List<Sample> samples;

    /** The splits in the order of time. */
    LoopDelay(History history, List<WorldSplit> splits) {
        this.splits = splits;
        long firstCut = splits.stream()
                .filter(split -> split.parts() > 1)
                .mapToLong(WorldSplit::atNanos)
                .min()
                .orElse(Long.MAX_VALUE);
        List<LoopSeen> told = history.of(LoopSeen.class).stream()
                .filter(seen -> !Double.isNaN(seen.maxMillis()))
                .toList();
        wholeMillis = told.stream()
                .filter(seen -> seen.atNanos() <= firstCut)
                .mapToDouble(LoopSeen::maxMillis)
                .max()
                .orElse(0);
        samples = told.stream()
                .map(seen -> new Sample(seen.atNanos(), millis(seen)))
                .toList();
    }

    /** The slowest any region told of then; empty if none did. */
    OptionalDouble millisDuring(long fromNanos, long toNanos) {
        return samples.stream()
                .filter(sample -> sample.atNanos() >= fromNanos && sample.atNanos() <= toNanos)
                .mapToDouble(Sample::millis)
                .max();
    }

    private double millis(LoopSeen seen) {
        OptionalDouble sinceHealMillis = sinceHealMillis(seen.atNanos());
        if (sinceHealMillis.isEmpty()) {
            return seen.maxMillis();
        }
        double silentMillis = Double.isNaN(seen.silentMillis()) ? 0 : seen.silentMillis();
        double heardMillis = Math.min(silentMillis, sinceHealMillis.getAsDouble()) + REPORT_MILLIS;
        return Math.min(seen.maxMillis(), Math.max(wholeMillis, heardMillis));
    }

    /** Since the world last came together, if a region still remembers that. */
    private OptionalDouble sinceHealMillis(long atNanos) {
        int parts = 1;
        long healNanos = -1;
        for (WorldSplit split : splits) {
            if (split.atNanos() > atNanos) {
                break;
            }
            healNanos = split.parts() < parts ? split.atNanos() : healNanos;
            parts = split.parts();
        }
        return healNanos < 0 || atNanos - healNanos > REMEMBERED_NANOS
                ? OptionalDouble.empty()
                : OptionalDouble.of((atNanos - healNanos) / 1e6);
    }
}
