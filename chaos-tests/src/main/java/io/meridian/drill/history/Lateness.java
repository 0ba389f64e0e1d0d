package io.meridian.drill.history;

import io.meridian.drill.history.Event.Checked;
import io.meridian.drill.history.Event.Phase;
import io.meridian.drill.history.Timeline.PhaseSpan;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Lateness of the load: the time from each check's due time to its sending.
 *
 * <p>The generator waits for no answer, so it is late only when it gets no core. Everything else on the machine is late then too, and a
 * duration measured meanwhile says nothing about the product. Checkers of time therefore find no violation where p99 is above {@link
 * #STARVED_P99_MILLIS}.
 */
public final class Lateness {
    /** A multiple of the wake-up time of a thread on an idle machine, and a fraction of every promised duration. */
    public static final double STARVED_P99_MILLIS = 50;

    private static final double P50 = 0.5;
    private static final double P99 = 0.99;
    private static final double MICROS_PER_MILLI = 1_000;

    private final List<Checked> sent;
    private final long longestNanos;

    /**
     * Distribution of the lateness of a set of checks.
     *
     * @param p99Millis the maximum if there are fewer than 100 checks
     */
    public record Spread(long checks, double p50Millis, double p99Millis, double maxMillis) {
        public static final Spread NONE = new Spread(0, 0, 0, 0);

        public boolean starved() {
            return p99Millis > STARVED_P99_MILLIS;
        }

        /** Sentence for readers. */
        public String description() {
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
     * @param starvedAboveMillis the p99 above which durations are not judged
     * @param judged of all checks after the warm-up
     * @param phases by the phase in which checks were due
     */
    public record Summary(double starvedAboveMillis, Spread judged, Map<String, Spread> phases) {
        public static Summary of(DrillHistory history) {
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

    public Lateness(DrillHistory history) {
        sent = history.of(Checked.class).stream()
                .sorted(Comparator.comparingLong(Checked::atNanos))
                .toList();
        longestNanos = sent.stream().mapToLong(Lateness::lateNanos).max().orElse(0);
    }

    private static long lateNanos(Checked checked) {
        return TimeUnit.MICROSECONDS.toNanos(checked.lateMicros());
    }

    /** Lateness of the checks that were due or sent in that time, or due before and sent after it. */
    public Spread during(long fromNanos, long toNanos) {
        double[] millis = sent.subList(firstSentAt(fromNanos), firstSentAt(plusLongest(toNanos))).stream()
                .filter(checked -> checked.atNanos() - lateNanos(checked) <= toNanos)
                .mapToDouble(checked -> checked.lateMicros() / MICROS_PER_MILLI)
                .sorted()
                .toArray();
        return millis.length == 0
                ? Spread.NONE
                : new Spread(millis.length, at(millis, P50), at(millis, P99), millis[millis.length - 1]);
    }

    /** Time after which no check was sent that was due by the given time. */
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

    /** The one with the largest p99. */
    public static Spread worst(List<Spread> spreads) {
        return spreads.stream()
                .max(Comparator.comparingDouble(Spread::p99Millis))
                .orElse(Spread.NONE);
    }
}
