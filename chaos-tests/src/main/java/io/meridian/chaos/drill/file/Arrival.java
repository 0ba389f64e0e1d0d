package io.meridian.chaos.drill.file;

import java.util.Locale;

/** How the checks of a limit are spread over each of its windows. */
public enum Arrival {
    /** At a constant rate, of one key: every region has met it before a window is used up. */
    EVEN,
    /**
     * The first region asks alone, until the limit is used up; a pause later all others ask. Each window has a key of its own, which those others
     * have never met.
     */
    FIRST_REGION,
    /** All at once in all regions, soon after the window began. Each window has a key of its own. */
    BURST;

    static Arrival of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
