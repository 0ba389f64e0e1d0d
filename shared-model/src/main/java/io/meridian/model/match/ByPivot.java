package io.meridian.model.match;

import java.util.HashMap;
import java.util.Map;

/**
 * The policies that need an entry of a map (a header, an attribute), found by one entry each, their pivot. The cost of a
 * look-up follows the entries of the request, not those the policies ask for; what a policy needs beyond its pivot is
 * checked for the few that are found.
 */
final class ByPivot {
    private final int words;
    private final long[] none;
    private final Map<String, Map<String, long[]>> byName = new HashMap<>();

    /** The value of a pivot that only asks for the name. */
    static final String ANY = "";

    ByPivot(int words) {
        this.words = words;
        this.none = new long[words];
    }

    void addUnconditional(int index) {
        Bits.set(none, index);
    }

    void add(String name, String value, int index) {
        Map<String, long[]> values = byName.computeIfAbsent(name, n -> new HashMap<>());
        Bits.set(values.computeIfAbsent(value, v -> new long[words]), index);
    }

    /** To be called once, after the last addition: whatever is found includes what needs no entry. */
    void seal() {
        byName.values().forEach(values -> values.values().forEach(set -> Bits.addAll(set, none)));
    }

    void find(Map<String, String> entries, Alternatives found) {
        if (!byName.isEmpty()) {
            for (Map.Entry<String, String> entry : entries.entrySet()) {
                Map<String, long[]> values = byName.get(entry.getKey());
                if (values != null) {
                    found.add(values.get(entry.getValue()));
                    found.add(values.get(ANY));
                }
            }
        }
        if (found.isEmpty()) {
            found.add(none);
        }
    }
}
