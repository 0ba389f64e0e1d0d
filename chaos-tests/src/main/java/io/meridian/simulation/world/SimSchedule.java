package io.meridian.chaos.sim;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Virtual time and the tasks planned in it, run one after the other: of two tasks at one time the one planned first.
 *
 * <p>A binary heap in plain arrays: a quarter of a history's time went into a queue of task objects.
 */
final class Schedule {
    /** A whole hour, so that every window of a whole part of it begins here. */
    static final long START_MICROS = 1_768_474_800_000_000L;

    private long[] micros = new long[1024];
    private long[] numbers = new long[1024];
    private @Nullable Runnable[] tasks = new Runnable[1024];
    private int size;
    private long nowMicros = START_MICROS;
    private long planned;
    private long steps;

    long nowMicros() {
        return nowMicros;
    }

    /** How many tasks have run. */
    long steps() {
        return steps;
    }

    void after(long delayMicros, Runnable task) {
        at(nowMicros + Math.max(0, delayMicros), task);
    }

    void at(long atMicros, Runnable task) {
        if (size == micros.length) {
            micros = Arrays.copyOf(micros, 2 * size);
            numbers = Arrays.copyOf(numbers, 2 * size);
            tasks = Arrays.copyOf(tasks, 2 * size);
        }
        siftUp(size++, Math.max(atMicros, nowMicros), planned++, task);
    }

    /** Every so often from now on, for ever. */
    void every(long periodMicros, Runnable task) {
        after(periodMicros, () -> {
            task.run();
            every(periodMicros, task);
        });
    }

    /** Runs the next task, if it is due by then; else time passes until then. */
    boolean step(long untilMicros) {
        if (size == 0 || micros[0] > untilMicros) {
            nowMicros = Math.max(nowMicros, untilMicros);
            return false;
        }
        Runnable next = tasks[0];
        nowMicros = micros[0];
        size--;
        siftDown(micros[size], numbers[size], tasks[size]);
        tasks[size] = null;
        steps++;
        next.run();
        return true;
    }

    private void siftUp(int from, long atMicros, long number, Runnable task) {
        int hole = from;
        while (hole > 0) {
            int parent = (hole - 1) >>> 1;
            if (isBefore(parent, atMicros, number)) {
                break;
            }
            move(parent, hole);
            hole = parent;
        }
        set(hole, atMicros, number, task);
    }

    /** Puts the task where the first one was taken from, and lets it sink. */
    private void siftDown(long atMicros, long number, Runnable task) {
        int hole = 0;
        for (int child = 1; child < size; child = 2 * hole + 1) {
            if (child + 1 < size && isBefore(child + 1, micros[child], numbers[child])) {
                child++;
            }
            if (!isBefore(child, atMicros, number)) {
                break;
            }
            move(child, hole);
            hole = child;
        }
        set(hole, atMicros, number, task);
    }

    private boolean isBefore(int index, long atMicros, long number) {
        return micros[index] == atMicros ? numbers[index] < number : micros[index] < atMicros;
    }

    private void move(int from, int to) {
        set(to, micros[from], numbers[from], tasks[from]);
    }

    private void set(int index, long atMicros, long number, Runnable task) {
        micros[index] = atMicros;
        numbers[index] = number;
        tasks[index] = task;
    }
}
