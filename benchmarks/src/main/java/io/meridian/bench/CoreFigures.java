package io.meridian.bench;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import org.openjdk.jmh.util.Statistics;

/**
 * Measures the core in one run and prints its figures: time and allocation per operation, and the stated targets. The
 * figures are taken from the best of many short iterations: what else runs on the machine only ever adds to a time.
 */
public final class CoreFigures {
    private static final double DECISION_NANOS_MAX = 1_000;
    private static final double MATCH_RATIO_MAX = 2;

    private CoreFigures() {}

    public static void main(String[] args) throws RunnerException {
        boolean brief = Arrays.asList(args).contains("--short");
        Collection<RunResult> results = new Runner(new OptionsBuilder()
                        .include(DecisionBenchmark.class.getName())
                        .include(MatchBenchmark.class.getName())
                        .include(DenialBenchmark.class.getName())
                        .include(KeyBenchmark.class.getName())
                        .addProfiler(GCProfiler.class)
                        .forks(1)
                        .warmupIterations(brief ? 1 : 3)
                        .warmupTime(TimeValue.milliseconds(brief ? 10 : 1_000))
                        .measurementIterations(brief ? 1 : 15)
                        .measurementTime(TimeValue.milliseconds(brief ? 10 : 400))
                        .verbosity(VerboseMode.SILENT)
                        .build())
                .run();
        List<Figure> figures = results.stream().map(Figure::of).toList();
        figures.forEach(figure -> print(
                "%-32s best %8.1f ns, median %8.1f ns, %7.1f B per operation",
                figure.name, figure.nanos, figure.median, figure.bytes));
        double slowest = figures.stream()
                .filter(figure -> figure.name.startsWith("decide"))
                .mapToDouble(Figure::nanos)
                .max()
                .orElseThrow();
        double ratio = nanos(figures, "match 1000") / nanos(figures, "match 10");
        print(
                "slowest decision: %.1f ns, at most %.0f: %s",
                slowest, DECISION_NANOS_MAX, met(slowest <= DECISION_NANOS_MAX));
        print("match 1000 / match 10: %.2f, at most %.0f: %s", ratio, MATCH_RATIO_MAX, met(ratio <= MATCH_RATIO_MAX));
    }

    private static double nanos(List<Figure> figures, String name) {
        return figures.stream()
                .filter(figure -> figure.name.equals(name))
                .mapToDouble(Figure::nanos)
                .findFirst()
                .orElseThrow();
    }

    private static String met(boolean met) {
        return met ? "met" : "NOT MET";
    }

    private static void print(String format, Object... values) {
        System.out.println(String.format(Locale.ROOT, format, values));
    }

    private record Figure(String name, double nanos, double median, double bytes) {
        @SuppressWarnings("rawtypes") // as the interface of JMH is
        static Figure of(RunResult result) {
            String method = result.getPrimaryResult().getLabel();
            String parameter = result.getParams().getParamsKeys().stream()
                    .map(key -> result.getParams().getParam(key).toLowerCase(Locale.ROOT))
                    .findFirst()
                    .orElse("");
            double bytes = result.getSecondaryResults().entrySet().stream()
                    .filter(entry -> entry.getKey().endsWith("gc.alloc.rate.norm"))
                    .mapToDouble(entry -> entry.getValue().getScore())
                    .findFirst()
                    .orElse(Double.NaN);
            Statistics nanos = result.getPrimaryResult().getStatistics();
            return new Figure(method + " " + parameter, nanos.getMin(), nanos.getPercentile(50), bytes);
        }
    }
}
