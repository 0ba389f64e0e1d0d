package io.meridian.drill.checks;

import io.meridian.drill.history.Lateness;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Finding of a checker.
 *
 * @param ofTime whether the state depends on a duration; that of a promise of safety never does
 * @param description for readers, with the important figures
 * @param figures for programs: numbers, strings, lists and maps
 */
public record Finding(State state, boolean ofTime, String description, Map<String, Object> figures) {
    public Finding {
        if (description.isBlank()) {
            throw new IllegalArgumentException("description must not be blank, got \"" + description + "\"");
        }
        figures = Collections.unmodifiableMap(new LinkedHashMap<>(figures));
    }

    Finding(State state, String description, Map<String, Object> figures) {
        this(state, false, description, figures);
    }

    static Finding unknown(String description) {
        return new Finding(State.UNKNOWN, description, Map.of());
    }

    /** Violation of a promise of time; unknown if the machine was starved in every one of the given times. */
    static Finding slow(List<Lateness.Spread> meanwhile, String description, Map<String, Object> figures) {
        return meanwhile.stream().allMatch(Lateness.Spread::starved)
                ? starved(Lateness.worst(meanwhile), description, figures)
                : new Finding(State.VIOLATED, true, description, figures);
    }

    private static Finding starved(Lateness.Spread lateness, String seen, Map<String, Object> figures) {
        Map<String, Object> all = new LinkedHashMap<>(figures);
        all.put("lateness_p99_ms", lateness.p99Millis());
        return new Finding(
                State.UNKNOWN,
                true,
                "Not judged, because the machine was starved: p99 lateness %.0f ms. Seen: %s"
                        .formatted(lateness.p99Millis(), seen),
                all);
    }

    /** Finding that is valid if the promise holds, else violated. */
    static Finding of(boolean holds, String description, Map<String, Object> figures) {
        return new Finding(holds ? State.VALID : State.VIOLATED, description, figures);
    }

    /** State of a promise after a drill. */
    public enum State {
        /** It was tested and held. */
        VALID,
        /** It was violated. */
        VIOLATED,
        /** The history does not decide it; this never counts as valid. */
        UNKNOWN
    }
}
