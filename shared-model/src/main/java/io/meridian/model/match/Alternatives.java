package io.meridian.model.match;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The sets of policies that one part of a check selects; a policy in any of them is selected. */
final class Alternatives {
    private long[][] sets = new long[8][];
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
