package io.meridian.chaos.drill.run;

import io.meridian.chaos.drill.history.Event;
import io.meridian.model.time.TimeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** All that happens in a drill, by one clock and in one order, kept and passed on. */
final class Recorder implements Consumer<Event> {
    /** Some minutes of the largest load; a drill that goes on longer fails, because its totals would be wrong. */
    static final int EVENTS_MAX = 1_000_000;

    private final TimeSource time;
    private final long zeroNanos;
    private final long startedMicros;
    private final List<Consumer<Event>> listeners;
    private final List<Event> events = new ArrayList<>();
    private boolean full;

    Recorder(TimeSource time, List<Consumer<Event>> listeners) {
        this.time = time;
        zeroNanos = time.monotonicNanos();
        startedMicros = time.wallMicros();
        this.listeners = List.copyOf(listeners);
    }

    /** Of whoever watches: it must not throw, and what it throws does not stop a drill. */
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
            } catch (RuntimeException broken) {
                // The history is whole without it, and what was broken has yet to be undone.
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
