package io.meridian.chaos.drill.verdict;

import io.meridian.chaos.drill.history.History;

/**
 * Judges one promise by what happened.
 *
 * <p>A checker is of one of two kinds, which its comment names. One of safety judges what must hold however slow everything is, and so
 * always. One of time judges how fast something was, or what rests on that: where it would find a promise broken, and the machine was
 * starved meanwhile ({@link Lateness}), it finds nothing instead. What holds on a starved machine holds for either.
 */
public interface Checker {
    /** The promise, in a few words that stand in the report: {@code no failed check}. */
    String name();

    Finding check(History history);
}
