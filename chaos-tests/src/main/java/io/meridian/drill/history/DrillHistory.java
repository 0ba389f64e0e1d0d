package io.meridian.drill.history;

import java.time.Instant;
import java.util.List;

/**
 * Complete record of a drill.
 *
 * @param startedAt wall time at event time 0
 * @param events in the order of their recording
 */
public record DrillHistory(
        String drill,
        String title,
        Instant startedAt,
        List<String> regions,
        List<Subject> subjects,
        List<Event> events) {
    public DrillHistory {
        regions = List.copyOf(regions);
        subjects = List.copyOf(subjects);
        events = List.copyOf(events);
    }

    /** The events of one type. */
    public <E extends Event> List<E> of(Class<E> kind) {
        return events.stream().filter(kind::isInstance).map(kind::cast).toList();
    }
}
