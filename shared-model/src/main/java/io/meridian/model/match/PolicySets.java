package io.meridian.model.match;

import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Sets of policies as bits, in words of 64; a policy's bit is its place in the order of evaluation. */
final class PolicySets {
    private PolicySets() {}

    static int words(int size) {
        return (size + Long.SIZE - 1) / Long.SIZE;
    }

    /** The set with one more, made on the first. */
    static long[] with(long @Nullable [] bits, int index, int words) {
        long[] more = bits == null ? new long[words] : bits;
        set(more, index);
        return more;
    }

    static void set(long[] bits, int index) {
        bits[index / Long.SIZE] |= 1L << (index % Long.SIZE);
    }

    /** The union of two sets, null being none; shared with the one that has all of it where the other is none. */
    static long @Nullable [] union(long @Nullable [] a, long @Nullable [] b) {
        if (a == null || b == null) {
            return a == null ? b : a;
        }
        long[] union = a.clone();
        addAll(union, b);
        return union;
    }

    static void addAll(long[] bits, long[] more) {
        for (int i = 0; i < more.length; i++) {
            bits[i] |= more[i];
        }
    }

    /** The policies that select on one value of a request, by value; a policy that names none selects every value. */
    static final class ByValue {
        private final int words;
        private final long[] any;
        private final Map<String, long[]> named = new HashMap<>();

        ByValue(int words) {
            this.words = words;
            this.any = new long[words];
        }

        void add(Collection<String> values, int index) {
            if (values.isEmpty()) {
                PolicySets.set(any, index);
            }
            values.forEach(value -> PolicySets.set(named.computeIfAbsent(value, v -> new long[words]), index));
        }

        /** To be called once, after the last {@link #add}. */
        void seal() {
            named.values().forEach(set -> PolicySets.addAll(set, any));
        }

        long[] get(String value) {
            return named.getOrDefault(value, any);
        }
    }

    /**
     * The policies that need an entry of a map (a header, an attribute), found by one entry each, their pivot. The cost of a
     * look-up follows the entries of the request, not those the policies ask for; what a policy needs beyond its pivot is
     * checked for the few that are found.
     */
    static final class ByPivot {
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
            PolicySets.set(none, index);
        }

        void add(String name, String value, int index) {
            Map<String, long[]> values = byName.computeIfAbsent(name, n -> new HashMap<>());
            PolicySets.set(values.computeIfAbsent(value, v -> new long[words]), index);
        }

        /** To be called once, after the last addition: whatever is found includes what needs no entry. */
        void seal() {
            byName.values().forEach(values -> values.values().forEach(set -> PolicySets.addAll(set, none)));
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

    /** The sets of policies that one part of a check selects; a policy in any of them is selected. */
    static final class Alternatives {
        private long[][] sets = new long[2][];
        private int size;

        void add(long @Nullable [] set) {
            if (set == null) {
                return;
            }
            if (size == sets.length) {
                sets = Arrays.copyOf(sets, 2 * size);
            }
            sets[size++] = set;
        }

        boolean isEmpty() {
            return size == 0;
        }

        long word(int index) {
            long word = 0;
            for (int i = 0; i < size; i++) {
                word |= sets[i][index];
            }
            return word;
        }
    }
}
