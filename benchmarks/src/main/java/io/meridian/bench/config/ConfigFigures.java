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
import java.util.Locale;
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

    private ConfigFigures(MeasuredStack target) {
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
                    MeasuredStack.running(new StateFolder(folder)),
                    options.contains("--short") ? ConfigScale.SHORT : ConfigScale.FULL,
                    System.out);
        } catch (IllegalStateException failed) {
            System.err.println(failed.getMessage());
            System.exit(1);
        }
    }

    static void run(MeasuredStack target, ConfigScale scale, PrintStream out) throws IOException, InterruptedException {
        new ConfigFigures(target).measure(target, scale, new ConfigReport(out));
    }

    private void measure(MeasuredStack target, ConfigScale scale, ConfigReport report)
            throws IOException, InterruptedException {
        OperatingSystemMXBean machine = ManagementFactory.getOperatingSystemMXBean();
        report.note("Java " + Runtime.version().feature() + ", " + machine.getAvailableProcessors()
                + " processors, load before the start " + machine.getSystemLoadAverage() + ", all on one machine");
        if (scale.equals(ConfigScale.SHORT)) {
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

    private void print(ConfigReport report) {
        report.title(everywhere.getTotalCount() + " changes of a policy, from when an admin sends one");
        report.times("answered", answered);
        regions.forEach((region, times) -> report.times("in effect in " + region, times));
        report.timesAtMost("in effect everywhere", everywhere, EVERYWHERE_MAX);
    }

    /**
     * How much is measured.
     *
     * @param warmUp changes before those that count
     * @param time no change is begun after so long
     */
    record ConfigScale(int warmUp, int changes, Duration time) {
        /** For figures. */
        static final ConfigScale FULL = new ConfigScale(20, 300, Duration.ofMinutes(5));

        /** For a proof that it runs; what it prints means nothing. */
        static final ConfigScale SHORT = new ConfigScale(1, 20, Duration.ofMinutes(1));
    }

    /** The figures as lines, each with what was stated for it, where something was. */
    private static final class ConfigReport {
        private final PrintStream out;

        ConfigReport(PrintStream out) {
            this.out = out;
        }

        void title(String title) {
            print("%n%s", title);
        }

        void note(String note) {
            print("%s", note);
        }

        void times(String name, Histogram nanos) {
            print("%s", text(name, nanos));
        }

        void timesAtMost(String name, Histogram nanos, Duration most) {
            boolean met = nanos.getValueAtPercentile(99) <= most.toNanos();
            print("%s; p99 at most %,d ms: %s", text(name, nanos), most.toMillis(), met ? "met" : "NOT MET");
        }

        private static String text(String name, Histogram nanos) {
            return String.format(
                    Locale.ROOT,
                    "%-34s p50 %,6.0f ms, p90 %,6.0f ms, p99 %,6.0f ms, max %,6.0f ms",
                    name,
                    millis(nanos.getValueAtPercentile(50)),
                    millis(nanos.getValueAtPercentile(90)),
                    millis(nanos.getValueAtPercentile(99)),
                    millis(nanos.getMaxValue()));
        }

        private static double millis(long nanos) {
            return nanos / 1e6;
        }

        private void print(String format, Object... values) {
            out.println(String.format(Locale.ROOT, format, values));
        }
    }
}
