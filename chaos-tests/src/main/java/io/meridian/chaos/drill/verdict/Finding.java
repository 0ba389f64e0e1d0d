package io.meridian.chaos.drill.verdict;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a checker found.
 *
 * @param ofTime whether the state rests on how fast something was; a promise of safety is never judged by that
 * @param words says it to a reader, with the figures that matter
 * @param figures the same for programs: numbers, strings, lists and maps, in an order that reads well
 */
public record Finding(State state, boolean ofTime, String words, Map<String, Object> figures) {
    public Finding {
        if (words.isBlank()) {
            throw new IllegalArgumentException("words must say something, got \"" + words + "\"");
        }
        figures = Collections.unmodifiableMap(new LinkedHashMap<>(figures));
    }

    Finding(State state, String words, Map<String, Object> figures) {
        this(state, false, words, figures);
    }

    static Finding unknown(String words) {
        return new Finding(State.UNKNOWN, words, Map.of());
    }

    /** Promise of time that was not kept; unknown if the machine was starved in each of the times in which it was not. */
    static Finding slow(List<Lateness.Spread> meanwhile, String words, Map<String, Object> figures) {
        return meanwhile.stream().allMatch(Lateness.Spread::starved)
                ? starved(Lateness.worst(meanwhile), words, figures)
                : new Finding(State.VIOLATED, true, words, figures);
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

    /** Valid if it holds, else violated. */
    static Finding of(boolean holds, String words, Map<String, Object> figures) {
        return new Finding(holds ? State.VALID : State.VIOLATED, words, figures);
    }
}
