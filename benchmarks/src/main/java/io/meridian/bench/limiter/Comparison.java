package io.meridian.bench.limiter;

import io.meridian.bench.limiter.MeasuredServers.Meter;
import io.meridian.testkit.load.LoadResult;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * Two sides measured in turns: baseline, subject, baseline, …, baseline. Each phase of the subject is held against the
 * baselines just before and just after it, so that a machine that slowly changes its pace changes no ratio.
 */
record Comparison(List<Sample> subject, List<Sample> baseline) {
    Comparison {
        if (baseline.size() != subject.size() + 1) {
            throw new IllegalArgumentException("baseline must have one phase more than the subject, got "
                    + baseline.size() + " and " + subject.size());
        }
        subject = List.copyOf(subject);
        baseline = List.copyOf(baseline);
    }

    /** CPU of the process per request of the subject, as a ratio to the baseline's. The generator and Redis, which share the machine, are not in it. */
    Ratio cpu() {
        return ratio(Sample::cpuMicros);
    }

    /** Throughput of the subject as a ratio to the baseline's. */
    Ratio throughput() {
        return ratio(Sample::perSecond);
    }

    private Ratio ratio(ToDoubleFunction<Sample> figure) {
        double[] ratios = new double[subject.size()];
        for (int i = 0; i < ratios.length; i++) {
            double around = (figure.applyAsDouble(baseline.get(i)) + figure.applyAsDouble(baseline.get(i + 1))) / 2;
            ratios[i] = figure.applyAsDouble(subject.get(i)) / around;
        }
        return Ratio.of(ratios);
    }

    /**
     * Ratio of two sides over the rounds.
     *
     * @param spread distance of the quartiles as a share of the median: what the machine did besides
     */
    record Ratio(double median, double lowest, double highest, double spread) {
        /** With a larger spread the median says more of the machine than of the sides. */
        static final double SPREAD_MAX = 0.15;

        static Ratio of(double... rounds) {
            double[] sorted = rounds.clone();
            Arrays.sort(sorted);
            int last = sorted.length - 1;
            double median = (sorted[last / 2] + sorted[(last + 1) / 2]) / 2;
            double quartiles = sorted[last - last / 4] - sorted[last / 4];
            return new Ratio(median, sorted[0], sorted[last], quartiles / median);
        }

        /** Verdict on a figure that must not be larger, or the reason why there is none. */
        String atMost(double most) {
            if (spread > SPREAD_MAX) {
                return String.format(Locale.ROOT, "NOT JUDGED, the rounds spread by %.2f of %.2f", spread, SPREAD_MAX);
            }
            return median <= most ? "met" : "NOT MET";
        }
    }

    /** One phase: how many requests a second, and what one cost the measured process. */
    record Sample(long requests, double perSecond, double cpuMicros, double allocatedBytes) {
        static Sample of(LoadResult result, Meter before, Meter after) {
            return new Sample(
                    result.requests(),
                    result.perSecond(),
                    (after.cpuNanos() - before.cpuNanos()) / 1_000.0 / result.requests(),
                    (double) (after.allocatedBytes() - before.allocatedBytes()) / result.requests());
        }
    }

    /** The middle of some values, or the mean of the two in the middle. */
    static final class Median {
        private Median() {}

        static <T> double of(List<T> things, ToDoubleFunction<T> value) {
            double[] sorted = things.stream().mapToDouble(value).sorted().toArray();
            if (sorted.length == 0) {
                throw new IllegalArgumentException("There is no middle of nothing");
            }
            return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
        }
    }
}
