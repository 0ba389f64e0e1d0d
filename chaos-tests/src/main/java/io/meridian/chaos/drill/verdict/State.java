package io.meridian.chaos.drill.verdict;

/** What is known of a promise after a drill. */
public enum State {
    /** It was put to the test and held. */
    VALID,
    /** It was seen to be broken. */
    VIOLATED,
    /** Nothing was seen by which it could be judged; not the same as having held. */
    UNKNOWN
}
