package io.meridian.chaos.drill.verdict;

import io.meridian.chaos.drill.history.Event.Checked;
import io.meridian.chaos.drill.history.History;
import io.meridian.chaos.drill.history.Phase;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Lateness of the load: how long after its due time each check was sent.
 *
 * <p>The generator waits for nobody's answer, so it is late only when it gets no core. Everything else on the machine is late then too, and
 * a time that was measured meanwhile is the machine's and not the product's. Checkers of time ({@link Checker}) therefore find nothing
 * broken where p99 is above {@link #STARVED_P99_MILLIS}.
 */
public final class Lateness {
    /** Some times what an idle machine needs to wake a thread, and a fraction of every promised time. */
    public static final double STARVED_P99_MILLIS = 50;

    private static final double P50 = 0.5;
    private static final double P99 = 0.99;
    private static final double MICROS_PER_MILLI = 1_000;

    private final List<Checked> sent;
    private final long longestNanos;

    /**
     * Lateness of some checks.
     *
     * @param p99Millis of so few checks that this is less than one, the longest
     */
    public record Spread(long checks, double p50Millis, double p99Millis, double maxMillis) {
        static final Spread NONE = new Spread(0, 0, 0, 0);

        public boolean starved() {
            return p99Millis > STARVED_P99_MILLIS;
        }

        /** For readers. */
        public String words() {
            return checks == 0
                    ? "No check was sent."
                    : "%,d checks were sent %.1f ms late at p50, %.0f ms at p99, %.0f ms at most%s."
                            .formatted(
                                    checks,
                                    p50Millis,
                                    p99Millis,
                                    maxMillis,
                                    starved() ? ": the machine was starved" : "");
        }
    }

    /**
     * Lateness of a whole drill, for reports.
     *
     * @param starvedAboveMillis the p99 above which times are not judged
     * @param judged all checks after the warm-up
     * @param phases by the name of the phase in which checks were due
     */
    public record Summary(double starvedAboveMillis, Spread judged, Map<String, Spread> phases) {
        public static Summary of(History history) {
            Timeline timeline = new Timeline(history);
            Lateness lateness = new Lateness(history);
            Map<String, Spread> phases = new LinkedHashMap<>();
            for (PhaseSpan span : timeline.phases()) {
                phases.put(
                        span.phase().name().toLowerCase(Locale.ROOT),
                        lateness.during(span.fromNanos(), span.toNanos()));
            }
            long from = timeline.phases().stream()
                    .filter(span -> span.phase() != Phase.WARM_UP)
                    .mapToLong(PhaseSpan::fromNanos)
                    .min()
                    .orElse(Long.MAX_VALUE);
            return new Summary(STARVED_P99_MILLIS, lateness.during(from, Long.MAX_VALUE), phases);
        }
    }

    Lateness(History history) {
        sent = history.of(Checked.class).stream()
                .sorted(Comparator.comparingLong(Checked::atNanos))
                .toList();
        longestNanos = sent.stream().mapToLong(Lateness::lateNanos).max().orElse(0);
    }

    private static long lateNanos(Checked checked) {
        return TimeUnit.MICROSECONDS.toNanos(checked.lateMicros());
    }

    /** Of the checks that were due or sent in that time, or due before and sent after it. */
    Spread during(long fromNanos, long toNanos) {
        double[] millis = sent.subList(firstSentAt(fromNanos), firstSentAt(plusLongest(toNanos))).stream()
                .filter(checked -> checked.atNanos() - lateNanos(checked) <= toNanos)
                .mapToDouble(checked -> checked.lateMicros() / MICROS_PER_MILLI)
                .sorted()
                .toArray();
        return millis.length == 0
                ? Spread.NONE
                : new Spread(millis.length, at(millis, P50), at(millis, P99), millis[millis.length - 1]);
    }

    /** No check was due by that time and sent later than this. */
    private long plusLongest(long nanos) {
        long after = longestNanos + 1;
        return nanos > Long.MAX_VALUE - after ? Long.MAX_VALUE : nanos + after;
    }

    private int firstSentAt(long nanos) {
        int low = 0;
        int high = sent.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (sent.get(middle).atNanos() < nanos) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private static double at(double[] sorted, double part) {
        return sorted[Math.max(0, (int) Math.ceil(part * sorted.length) - 1)];
    }

    /** The worst of some spans, by p99. */
    static Spread worst(List<Spread> spreads) {
        return spreads.stream()
                .max(Comparator.comparingDouble(Spread::p99Millis))
                .orElse(Spread.NONE);
    }
}
