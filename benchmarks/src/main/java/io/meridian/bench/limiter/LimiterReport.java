package io.meridian.bench.limiter;

import io.meridian.bench.limiter.Comparison.Median;
import io.meridian.bench.limiter.Comparison.Sample;
import io.meridian.testkit.load.LoadResult;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

/** The figures as lines, each with what was stated for it, where something was. */
final class LimiterReport {
    private final PrintStream out;

    LimiterReport(PrintStream out) {
        this.out = out;
    }

    void title(String title) {
        print("%n%s", title);
    }

    void note(String note) {
        print("%s", note);
    }

    void ratio(String name, Comparison comparison) {
        print("%s", text(name, comparison));
    }

    void cpuAtMost(String name, Comparison comparison, double most) {
        print(
                "%s; CPU at most %.2f: %s",
                text(name, comparison), most, comparison.cpu().atMost(most));
    }

    void number(String name, double value) {
        print("%s", text(name, value));
    }

    void numberAtMost(String name, double value, double most) {
        print("%s, at most %s: %s", text(name, value), most, met(value <= most));
    }

    void cost(String name, List<Sample> samples) {
        print(
                "%-34s %,9.0f /s, %6.1f us of CPU, %,8.0f B",
                name,
                Median.of(samples, Sample::perSecond),
                Median.of(samples, Sample::cpuMicros),
                Median.of(samples, Sample::allocatedBytes));
    }

    void latencies(String name, double perSecond, List<LoadResult> rounds) {
        print(
                "%-34s p50 %,6.0f us, p99 %,6.0f us, p99.9 %,6.0f us at %,.0f /s; asked late by %,.0f us at p99",
                name,
                Median.of(rounds, round -> round.micros(50)),
                Median.of(rounds, round -> round.micros(99)),
                Median.of(rounds, round -> round.micros(99.9)),
                perSecond,
                Median.of(rounds, round -> round.sentLateMicros(99)));
    }

    private static String text(String name, Comparison comparison) {
        Comparison.Ratio cpu = comparison.cpu();
        Comparison.Ratio throughput = comparison.throughput();
        return String.format(
                Locale.ROOT,
                "%-34s CPU %.2f (%.2f to %.2f), throughput %.2f (%.2f to %.2f)",
                name,
                cpu.median(),
                cpu.lowest(),
                cpu.highest(),
                throughput.median(),
                throughput.lowest(),
                throughput.highest());
    }

    private static String text(String name, double value) {
        return String.format(Locale.ROOT, value < 100 ? "%-34s %.4f" : "%-34s %,.0f", name, value);
    }

    private static String met(boolean met) {
        return met ? "met" : "NOT MET";
    }

    private void print(String format, Object... values) {
        out.println(String.format(Locale.ROOT, format, values));
    }
}
