package io.meridian.chaos.sim;

import java.util.PriorityQueue;

/** Virtual time and what is to happen in it, one thing after the other: of two things at one time the first that was planned. */
final class Schedule {
    /** A whole hour, so that every window of a whole part of it begins here. */
    static final long START_MICROS = 1_768_474_800_000_000L;

    private final PriorityQueue<Due> queue = new PriorityQueue<>();
    private long nowMicros = START_MICROS;
    private long planned;
    private long steps;

    /** Compared by hand: a fifth of a history's time goes into keeping these in order. */
    private record Due(long micros, long number, Runnable task) implements Comparable<Due> {
        @Override
        public int compareTo(Due other) {
            return micros == other.micros ? Long.compare(number, other.number) : Long.compare(micros, other.micros);
        }
    }

    long nowMicros() {
        return nowMicros;
    }

    /** How many things have happened. */
    long steps() {
        return steps;
    }

    void after(long micros, Runnable task) {
        at(nowMicros + Math.max(0, micros), task);
    }

    void at(long micros, Runnable task) {
        queue.add(new Due(Math.max(micros, nowMicros), planned++, task));
    }

    /** Every so often from now on, for ever. */
    void every(long micros, Runnable task) {
        after(micros, () -> {
            task.run();
            every(micros, task);
        });
    }

    /** Has the next thing happen, if it is due by then; else time passes until then. */
    boolean step(long untilMicros) {
        Due next = queue.peek();
        if (next == null || next.micros > untilMicros) {
            nowMicros = Math.max(nowMicros, untilMicros);
            return false;
        }
        queue.poll();
        nowMicros = next.micros;
        steps++;
        next.task.run();
        return true;
    }
}
