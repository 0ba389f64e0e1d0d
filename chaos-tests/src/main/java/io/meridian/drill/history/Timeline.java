package io.meridian.drill.history;

import io.meridian.drill.history.Event.LoopSampled;
import io.meridian.drill.history.Event.NetworkSplit;
import io.meridian.drill.history.Event.Phase;
import io.meridian.drill.history.Event.PhaseBegan;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;

/** Phases, faults, network splits and loop delays of a history, by time. */
public final class Timeline {
    private static final DateTimeFormatter CLOCK =
            DateTimeFormatter.ofPattern("HH:mm:ss").withZone(ZoneOffset.UTC);

    private final DrillHistory history;
    private final long endNanos;
    private final List<PhaseSpan> phases;
    private final List<FaultSpan> faults;
    private final List<NetworkSplit> splits;
    private final ObservedLoopDelay loop;

    public Timeline(DrillHistory history) {
        this.history = history;
        endNanos =
                history.events().stream().mapToLong(Timeline::knownNanos).max().orElse(0);
        phases = PhaseSpan.all(history, endNanos);
        faults = FaultSpan.all(history, endNanos);
        splits = history.of(NetworkSplit.class).stream()
                .sorted(Comparator.comparingLong(NetworkSplit::atNanos))
                .toList();
        loop = new ObservedLoopDelay(history, splits);
    }

    private static long knownNanos(Event event) {
        if (event instanceof Event.Checked checked) {
            return Math.max(checked.atNanos(), checked.answeredNanos());
        }
        return event instanceof Event.ActivityEnded done
                ? Math.max(done.atNanos(), done.endedNanos())
                : event.atNanos();
    }

    /** Time of the last event. */
    public long endNanos() {
        return endNanos;
    }

    public List<PhaseSpan> phases() {
        return phases;
    }

    public List<FaultSpan> faults() {
        return faults;
    }

    /** Event time of a wall time. */
    public long nanosAt(long wallMicros) {
        Duration since = Duration.between(history.startedAt(), instant(wallMicros));
        return since.toNanos();
    }

    /** Event time in seconds, rounded to the millisecond. */
    public static double seconds(long nanos) {
        return Math.round(nanos / 1e6) / (double) TimeUnit.SECONDS.toMillis(1);
    }

    /** Wall time as hours, minutes and seconds in UTC. */
    public static String clock(long wallMicros) {
        return CLOCK.format(instant(wallMicros));
    }

    private static Instant instant(long wallMicros) {
        return Instant.EPOCH.plus(Duration.ofNanos(TimeUnit.MICROSECONDS.toNanos(wallMicros)));
    }

    /** Phase at that time; the warm-up before the first. */
    public Phase phaseAt(long nanos) {
        return phases.stream()
                .filter(span -> span.fromNanos() <= nanos)
                .reduce((before, last) -> last)
                .map(PhaseSpan::phase)
                .orElse(Phase.WARM_UP);
    }

    /** Largest number of parts that the regions were in, at any time between the two. */
    public int partsDuring(long fromNanos, long toNanos) {
        int most = 1;
        int parts = 1;
        for (NetworkSplit split : splits) {
            if (split.atNanos() >= toNanos) {
                break;
            }
            if (split.atNanos() > fromNanos) {
                most = Math.max(most, parts);
            }
            parts = Math.max(1, split.parts());
        }
        return Math.max(most, parts);
    }

    public ObservedLoopDelay loop() {
        return loop;
    }

    /** Phase, from its begin to that of the next. */
    public record PhaseSpan(Phase phase, long fromNanos, long toNanos) {
        static List<PhaseSpan> all(DrillHistory history, long endNanos) {
            List<PhaseBegan> begun = history.of(PhaseBegan.class).stream()
                    .sorted(Comparator.comparingLong(PhaseBegan::atNanos))
                    .toList();
            List<PhaseSpan> spans = new ArrayList<>();
            for (int i = 0; i < begun.size(); i++) {
                long to = i + 1 < begun.size() ? begun.get(i + 1).atNanos() : endNanos;
                spans.add(new PhaseSpan(begun.get(i).phase(), begun.get(i).atNanos(), to));
            }
            return List.copyOf(spans);
        }

        /** Whether it covers that time, with slack at both ends: a phase that waits for a window is recorded a moment after its begin. */
        public boolean covers(long from, long to, long slackNanos) {
            return fromNanos - slackNanos <= from && to <= toNanos + slackNanos;
        }
    }

    /**
     * Loop delays that regions measured, without network splits. A region reports the maximum of its last minute, which for a minute after a
     * heal is the split, and that is already accounted for by the number of parts. In that minute a sample counts up to the larger of the
     * slowest loop before the split and the time since the heal in which the region received nothing.
     */
    public static final class ObservedLoopDelay {
        /** Period of a region's maximum, and a margin for the time of the sample. */
        public static final long REMEMBERED_NANOS = TimeUnit.SECONDS.toNanos(65);
        /** Interval of reports. */
        private static final double REPORT_MILLIS = 100;

        private record Sample(long atNanos, double millis) {}

        private final List<NetworkSplit> splits;
        private final double wholeMillis;
        private final List<Sample> samples;

        /** @param splits in order of time */
        ObservedLoopDelay(DrillHistory history, List<NetworkSplit> splits) {
            this.splits = splits;
            long firstCut = splits.stream()
                    .filter(split -> split.parts() > 1)
                    .mapToLong(NetworkSplit::atNanos)
                    .min()
                    .orElse(Long.MAX_VALUE);
            List<LoopSampled> reported = history.of(LoopSampled.class).stream()
                    .filter(seen -> !Double.isNaN(seen.maxMillis()))
                    .toList();
            wholeMillis = reported.stream()
                    .filter(seen -> seen.atNanos() <= firstCut)
                    .mapToDouble(LoopSampled::maxMillis)
                    .max()
                    .orElse(0);
            samples = reported.stream()
                    .map(seen -> new Sample(seen.atNanos(), millis(seen)))
                    .toList();
        }

        /** Largest sample of any region in that time. */
        public OptionalDouble millisDuring(long fromNanos, long toNanos) {
            return samples.stream()
                    .filter(sample -> sample.atNanos() >= fromNanos && sample.atNanos() <= toNanos)
                    .mapToDouble(Sample::millis)
                    .max();
        }

        private double millis(LoopSampled seen) {
            OptionalDouble sinceHealMillis = sinceHealMillis(seen.atNanos());
            if (sinceHealMillis.isEmpty()) {
                return seen.maxMillis();
            }
            double silentMillis = Double.isNaN(seen.silentMillis()) ? 0 : seen.silentMillis();
            double receivedMillis = Math.min(silentMillis, sinceHealMillis.getAsDouble()) + REPORT_MILLIS;
            return Math.min(seen.maxMillis(), Math.max(wholeMillis, receivedMillis));
        }

        /** Time since the last heal, if regions may still report it. */
        private OptionalDouble sinceHealMillis(long atNanos) {
            int parts = 1;
            long healNanos = -1;
            for (NetworkSplit split : splits) {
                if (split.atNanos() > atNanos) {
                    break;
                }
                healNanos = split.parts() < parts ? split.atNanos() : healNanos;
                parts = split.parts();
            }
            return healNanos < 0 || atNanos - healNanos > REMEMBERED_NANOS
                    ? OptionalDouble.empty()
                    : OptionalDouble.of((atNanos - healNanos) / 1e6);
        }
    }
}
