package io.meridian.bench.config;

import io.meridian.model.time.TimeSource;
import io.meridian.stack.StateFolder;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Measures on a running stack how long a change of a policy takes until every region acts by it: an admin's PUT, PostgreSQL,
 * the outbox, Kafka, and the limiter of each region, which is asked until its answer is by the new limit.
 */
public final class ConfigFigures {
    private static final String STATE = "--state-dir=";
    private static final Duration EVERYWHERE_MAX = Duration.ofSeconds(1);
    private static final long LIMIT = 1_000_000;
    private static final long MAX_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final int DIGITS = 3;

    private final Map<String, Histogram> regions = new LinkedHashMap<>();
    private final Histogram answered = new Histogram(MAX_NANOS, DIGITS);
    private final Histogram everywhere = new Histogram(MAX_NANOS, DIGITS);

    private ConfigFigures(Target target) {
        target.limiters().keySet().forEach(region -> regions.put(region, new Histogram(MAX_NANOS, DIGITS)));
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        List<String> options = Arrays.asList(args);
        Path folder = options.stream()
                .filter(option -> option.startsWith(STATE))
                .map(option -> Path.of(option.substring(STATE.length())))
                .findFirst()
                .orElse(Path.of(".meridian"));
        try {
            run(
                    Target.running(new StateFolder(folder)),
                    options.contains("--short") ? Scale.SHORT : Scale.FULL,
                    System.out);
        } catch (IllegalStateException failed) {
            System.err.println(failed.getMessage());
            System.exit(1);
        }
    }

    static void run(Target target, Scale scale, PrintStream out) throws IOException, InterruptedException {
        new ConfigFigures(target).measure(target, scale, new Report(out));
    }

    private void measure(Target target, Scale scale, Report report) throws IOException, InterruptedException {
        OperatingSystemMXBean machine = ManagementFactory.getOperatingSystemMXBean();
        report.note("Java " + Runtime.version().feature() + ", " + machine.getAvailableProcessors()
                + " processors, load before the start " + machine.getSystemLoadAverage() + ", all on one machine");
        if (scale.equals(Scale.SHORT)) {
            report.note("A short run: it shows that everything runs, and its figures mean little.");
        }
        TimeSource time = TimeSource.system();
        MeasuredPolicy policy = new MeasuredPolicy(target, "bench-" + time.wallMicros());
        try (Propagation propagation = new Propagation(policy)) {
            for (int change = 0; change < scale.warmUp(); change++) {
                propagation.change(LIMIT + change);
            }
            long endNanos = time.monotonicNanos() + scale.time().toNanos();
            for (int change = 0; change < scale.changes() && time.monotonicNanos() < endNanos; change++) {
                record(propagation.change(LIMIT + scale.warmUp() + change));
            }
        } finally {
            policy.delete();
        }
        print(report);
    }

    private void record(Propagation.Times times) {
        answered.recordValue(Math.min(times.answeredNanos(), MAX_NANOS));
        regions.forEach((region, histogram) ->
                histogram.recordValue(Math.min(times.effectNanos().getOrDefault(region, MAX_NANOS), MAX_NANOS)));
        everywhere.recordValue(Math.min(times.everywhereNanos(), MAX_NANOS));
    }

    private void print(Report report) {
        report.title(everywhere.getTotalCount() + " changes of a policy, from when an admin sends one");
        report.times("answered", answered);
        regions.forEach((region, times) -> report.times("in effect in " + region, times));
        report.timesAtMost("in effect everywhere", everywhere, EVERYWHERE_MAX);
    }
}
