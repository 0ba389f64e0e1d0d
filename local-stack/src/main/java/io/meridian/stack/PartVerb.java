package io.meridian.stack;

import static java.util.stream.Collectors.joining;

import io.meridian.stack.faults.FaultRefusal;
import java.util.Arrays;
import java.util.Locale;

/** What may be done to a part of a running stack. */
enum PartVerb {
    /** Ends it without warning. */
    KILL,
    /** Ends it in order; what does not end within its grace is killed. */
    STOP,
    /** Starts one that does not run with the settings it had, and waits until it is ready. */
    START,
    /** Ends it in order if it runs, then starts it. */
    RESTART,
    /** Takes it off the processor: its sockets stay open and nobody answers. */
    FREEZE,
    THAW,
    /** Takes all data from a Redis, which goes on running. */
    WIPE;

    static PartVerb of(String word) {
        return Arrays.stream(values())
                .filter(verb -> verb.word().equals(word))
                .findFirst()
                .orElseThrow(() -> FaultRefusal.of(400, "verb must be one of " + words() + ", got " + word));
    }

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    boolean starts() {
        return this == START || this == RESTART;
    }

    private static String words() {
        return Arrays.stream(values()).map(PartVerb::word).collect(joining(", "));
    }
}
