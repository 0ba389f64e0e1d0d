package io.meridian.chaos.drill.history;

import java.time.Instant;
import java.util.List;

/**
 * All of a drill.
 *
 * @param startedAt the wall clock when event times were 0
 * @param events in the order in which they became known
 */
public record History(
        String drill,
        String title,
        Instant startedAt,
        List<String> regions,
        List<Subject> subjects,
        List<Event> events) {
    public History {
        regions = List.copyOf(regions);
        subjects = List.copyOf(subjects);
        events = List.copyOf(events);
    }

    /** The events of one kind. */
    public <E extends Event> List<E> of(Class<E> kind) {
        return events.stream().filter(kind::isInstance).map(kind::cast).toList();
    }
}
