package io.meridian.drill.runner;

import io.meridian.drill.history.Event;
import io.meridian.model.time.TimeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Recorder of the events of a drill, by one clock and in one order, which passes each on to its listeners. */
final class EventRecorder implements Consumer<Event> {
    /** Bound on the history: minutes of the largest load. A drill beyond it fails, because its totals would be wrong. */
    static final int EVENTS_MAX = 1_000_000;

    private final TimeSource time;
    private final long zeroNanos;
    private final long startedMicros;
    private final List<Consumer<Event>> listeners = new ArrayList<>();
    private final List<Event> events = new ArrayList<>();
    private boolean full;

    EventRecorder(TimeSource time, Consumer<Event> listener) {
        this.time = time;
        zeroNanos = time.monotonicNanos();
        startedMicros = time.wallMicros();
        listeners.add(listener);
    }

    synchronized void listen(Consumer<Event> listener) {
        listeners.add(listener);
    }

    /** Records an event. What a listener throws does not stop the drill. */
    @Override
    public synchronized void accept(Event event) {
        if (events.size() >= EVENTS_MAX) {
            full = true;
            return;
        }
        events.add(event);
        for (Consumer<Event> listener : listeners) {
            try {
                listener.accept(event);
            } catch (RuntimeException ignored) {
                // The history is complete without the listener, and the faults have yet to be undone.
            }
        }
    }

    long nowNanos() {
        return time.monotonicNanos() - zeroNanos;
    }

    long zeroNanos() {
        return zeroNanos;
    }

    long startedMicros() {
        return startedMicros;
    }

    synchronized boolean isFull() {
        return full;
    }

    synchronized List<Event> events() {
        return List.copyOf(events);
    }
}
