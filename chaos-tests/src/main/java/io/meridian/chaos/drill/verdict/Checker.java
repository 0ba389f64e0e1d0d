package io.meridian.chaos.drill.verdict;

import io.meridian.chaos.drill.history.History;

/** Judges one promise by what happened. */
public interface Checker {
    /** The promise, in a few words that stand in the report: {@code no failed check}. */
    String name();

    Finding check(History history);
}
