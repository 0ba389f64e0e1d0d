package io.meridian.simulation.world;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Virtual time and its tasks, run one after the other; of two tasks at the same time the one scheduled first.
 *
 * <p>It is a binary heap in plain arrays, because a queue of task objects took a quarter of a history's time.
 */
public final class SimSchedule {
    /** Start of virtual time: a whole hour, so that every window that divides an hour begins here. */
    public static final long START_MICROS = 1_768_474_800_000_000L;

    private long[] micros = new long[1024];
    private long[] numbers = new long[1024];
    private @Nullable Runnable[] tasks = new Runnable[1024];
    private int size;
    private long nowMicros = START_MICROS;
    private long planned;
    private long steps;

    public long nowMicros() {
        return nowMicros;
    }

    /** Number of tasks that have run. */
    public long steps() {
        return steps;
    }

    public void after(long delayMicros, Runnable task) {
        at(nowMicros + Math.max(0, delayMicros), task);
    }

    public void at(long atMicros, Runnable task) {
        if (size == micros.length) {
            micros = Arrays.copyOf(micros, 2 * size);
            numbers = Arrays.copyOf(numbers, 2 * size);
            tasks = Arrays.copyOf(tasks, 2 * size);
        }
        siftUp(size++, Math.max(atMicros, nowMicros), planned++, task);
    }

    /** Runs a task periodically, for ever. */
    public void every(long periodMicros, Runnable task) {
        after(periodMicros, () -> {
            task.run();
            every(periodMicros, task);
        });
    }

    /** Runs the next task if it is due by that time; else moves time on to it. */
    public boolean step(long untilMicros) {
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

    /** Inserts the task at the root, and moves it down. */
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
