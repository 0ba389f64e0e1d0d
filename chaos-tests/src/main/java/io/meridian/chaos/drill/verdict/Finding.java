package io.meridian.chaos.drill.verdict;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a checker found.
 *
 * @param words says it to a reader, with the figures that matter
 * @param figures the same for programs: numbers, strings, lists and maps, in an order that reads well
 */
public record Finding(State state, String words, Map<String, Object> figures) {
    public Finding {
        if (words.isBlank()) {
            throw new IllegalArgumentException("words must say something, got \"" + words + "\"");
        }
        figures = Collections.unmodifiableMap(new LinkedHashMap<>(figures));
    }

    static Finding unknown(String words) {
        return new Finding(State.UNKNOWN, words, Map.of());
    }

    /** Valid if it holds, else violated. */
    static Finding of(boolean holds, String words, Map<String, Object> figures) {
        return new Finding(holds ? State.VALID : State.VIOLATED, words, figures);
    }
}
