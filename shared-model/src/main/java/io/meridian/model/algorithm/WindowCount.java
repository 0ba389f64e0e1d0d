package io.meridian.model.algorithm;

/** What was taken in the aligned window that starts at {@code startMicros}. */
public record WindowCount(long startMicros, long used) implements CounterState {
    /** The count of the window that holds the later of {@code nowMicros} and the state's own time. */
    static WindowCount at(CounterState state, Window window, long nowMicros) {
        if (!(state instanceof WindowCount count)) {
            return new WindowCount(window.startMicros(nowMicros), 0);
        }
        long startMicros = window.startMicros(Math.max(nowMicros, count.startMicros));
        return new WindowCount(startMicros, count.startMicros >= startMicros ? count.used : 0);
    }
}
