package io.meridian.model.algorithm;

/** What was taken in the aligned window that starts at {@code startMicros} and in the one before it. */
public record EstimateCounts(long startMicros, long current, long previous) implements CounterState {
    /** The counts of the window that holds the later of {@code nowMicros} and the state's own time. */
    static EstimateCounts at(CounterState state, Window window, long windowMicros, long nowMicros) {
        if (!(state instanceof EstimateCounts counts)) {
            return new EstimateCounts(window.startMicros(nowMicros), 0, 0);
        }
        long startMicros = window.startMicros(Math.max(nowMicros, counts.startMicros));
        if (counts.startMicros >= startMicros) {
            return new EstimateCounts(startMicros, counts.current, counts.previous);
        }
        boolean adjacent = counts.startMicros >= startMicros - windowMicros;
        return new EstimateCounts(startMicros, 0, adjacent ? counts.current : 0);
    }
}
