package io.meridian.model.match;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** The policies that select on one value of a request, by value; a policy that names none selects every value. */
final class ByValue {
    private final int words;
    private final long[] any;
    private final Map<String, long[]> named = new HashMap<>();

    ByValue(int words) {
        this.words = words;
        this.any = new long[words];
    }

    void add(Collection<String> values, int index) {
        if (values.isEmpty()) {
            Bits.set(any, index);
        }
        values.forEach(value -> Bits.set(named.computeIfAbsent(value, v -> new long[words]), index));
    }

    /** To be called once, after the last {@link #add}. */
    void seal() {
        named.values().forEach(set -> Bits.addAll(set, any));
    }

    long[] get(String value) {
        return named.getOrDefault(value, any);
    }
}
