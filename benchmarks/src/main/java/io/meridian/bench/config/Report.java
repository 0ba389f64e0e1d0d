package io.meridian.bench.config;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/** The figures as lines, each with what was stated for it, where something was. */
final class Report {
    private final PrintStream out;

    Report(PrintStream out) {
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
