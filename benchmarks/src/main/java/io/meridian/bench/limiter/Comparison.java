package io.meridian.bench.limiter;

import io.meridian.bench.limiter.MeasuredServers.Meter;
import io.meridian.testkit.load.LoadResult;
import java.util.ArrayList;
import java.util.List;
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

    /** The median over the rounds of the subject's throughput as a share of the baseline's. */
    double ratio() {
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < subject.size(); i++) {
            double around = (baseline.get(i).perSecond() + baseline.get(i + 1).perSecond()) / 2;
            ratios.add(subject.get(i).perSecond() / around);
        }
        return Median.of(ratios, ratio -> ratio);
    }

    /** The same of the best phase of each side: what else runs on the machine only ever takes away. */
    double ratioOfBests() {
        return best(subject) / best(baseline);
    }

    /** The same by what a request costs the measured process alone: without the generator and Redis, which share the machine. */
    double ratioByCpu() {
        return Median.of(baseline, Sample::cpuMicros) / Median.of(subject, Sample::cpuMicros);
    }

    private static double best(List<Sample> samples) {
        return samples.stream().mapToDouble(Sample::perSecond).max().orElseThrow();
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
