package io.meridian.chaos.drill.load;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * Checks at the same place of every window by the wall clock: evenly over a part of it, or all at once.
 *
 * <p>What was not sent when its window ended is not sent at all, because it would be asked of the next window. For one thread.
 */
public final class Rounds implements Timetable {
    private static final long NONE = Long.MIN_VALUE;

    private final long windowMicros;
    private final long beginMicros;
    private final long lastsMicros;
    private final long checks;
    private long startMicros = NONE;
    private long next;

    private Rounds(Duration window, double begin, double end, long checks) {
        if (!(begin >= 0 && begin <= end && end < 1)) {
            throw new IllegalArgumentException(
                    "begin and end must be parts of a window, in their order, got %s and %s".formatted(begin, end));
        }
        if (checks < 1) {
            throw new IllegalArgumentException("checks must be positive, got " + checks);
        }
        windowMicros = TimeUnit.MILLISECONDS.toMicros(window.toMillis());
        beginMicros = Math.round(begin * windowMicros);
        lastsMicros = Math.round((end - begin) * windowMicros);
        this.checks = checks;
    }

    /** So many checks of every window, at the same distances from one part of it to another. */
    public static Rounds evenly(Duration window, double begin, double end, long checks) {
        return new Rounds(window, begin, end, checks);
    }

    /** So many checks of every window, all at one part of it. */
    public static Rounds atOnce(Duration window, double part, long checks) {
        return new Rounds(window, part, part, checks);
    }

    @Override
    public OptionalLong takeDue(long nowNanos, long wallMicros) {
        long start = Math.floorDiv(wallMicros, windowMicros) * windowMicros;
        if (startMicros == NONE) {
            begin(start, wallMicros);
        } else if (start > startMicros) {
            startMicros = start;
            next = 0;
        }
        long late = wallMicros - startMicros - dueMicros();
        if (next == checks || late < 0) {
            return OptionalLong.empty();
        }
        next++;
        return OptionalLong.of(nowNanos - TimeUnit.MICROSECONDS.toNanos(late));
    }

    /** Checks that were due earlier are skipped. */
    private void begin(long start, long wallMicros) {
        startMicros = start;
        while (next < checks && start + dueMicros() < wallMicros) {
            next++;
        }
    }

    /** Of the next check, from the start of the window. */
    private long dueMicros() {
        return beginMicros + lastsMicros * next / checks;
    }
}
