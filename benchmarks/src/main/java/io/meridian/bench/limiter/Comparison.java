package io.meridian.bench.limiter;

import java.util.ArrayList;
import java.util.List;

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
}
