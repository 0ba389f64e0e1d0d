package io.meridian.chaos.drill.verdict;

import io.meridian.chaos.drill.history.Event;
import io.meridian.chaos.drill.history.Event.WorldSplit;
import io.meridian.chaos.drill.history.History;
import io.meridian.chaos.drill.history.Phase;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What was in effect when, of a history: phases, faults, in how many parts the world was, and how slow its loop. */
public final class Timeline {
    private static final DateTimeFormatter CLOCK =
            DateTimeFormatter.ofPattern("HH:mm:ss").withZone(ZoneOffset.UTC);

    private final History history;
    private final long endNanos;
    private final List<PhaseSpan> phases;
    private final List<FaultSpan> faults;
    private final List<WorldSplit> splits;
    private final LoopDelay loop;

    public Timeline(History history) {
        this.history = history;
        endNanos =
                history.events().stream().mapToLong(Timeline::knownNanos).max().orElse(0);
        phases = PhaseSpan.all(history, endNanos);
        faults = FaultSpan.all(history, endNanos);
        splits = history.of(WorldSplit.class).stream()
                .sorted(Comparator.comparingLong(WorldSplit::atNanos))
                .toList();
        loop = new LoopDelay(history, splits);
    }

    private static long knownNanos(Event event) {
        if (event instanceof Event.Checked checked) {
            return Math.max(checked.atNanos(), checked.answeredNanos());
        }
        return event instanceof Event.ActivityDone done ? Math.max(done.atNanos(), done.endedNanos()) : event.atNanos();
    }

    /** When the last thing happened. */
    public long endNanos() {
        return endNanos;
    }

    public List<PhaseSpan> phases() {
        return phases;
    }

    public List<FaultSpan> faults() {
        return faults;
    }

    /** The drill's own time of a wall clock's. */
    public long nanosAt(long wallMicros) {
        Duration since = Duration.between(history.startedAt(), instant(wallMicros));
        return since.toNanos();
    }

    /** Hours, minutes and seconds in UTC. */
    public static String clock(long wallMicros) {
        return CLOCK.format(instant(wallMicros));
    }

    private static Instant instant(long wallMicros) {
        return Instant.EPOCH.plus(Duration.ofNanos(TimeUnit.MICROSECONDS.toNanos(wallMicros)));
    }

    /** The phase then; a warm-up before any was told. */
    Phase phaseAt(long nanos) {
        return phases.stream()
                .filter(span -> span.fromNanos() <= nanos)
                .reduce((before, last) -> last)
                .map(PhaseSpan::phase)
                .orElse(Phase.WARM_UP);
    }

    /** The most parts the world was in at any time after the first and before the second. */
    int partsDuring(long fromNanos, long toNanos) {
        int most = 1;
        int parts = 1;
        for (WorldSplit split : splits) {
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

    LoopDelay loop() {
        return loop;
    }
}
