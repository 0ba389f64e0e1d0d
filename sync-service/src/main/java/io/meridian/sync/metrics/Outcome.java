package io.meridian.sync.metrics;

/** What became of a transaction. */
public enum Outcome {
    COMMITTED,
    /** The broker says that another one leads. */
    REFUSED,
    /** It may have been committed or not: whoever goes on has to read what was. */
    FAILED
}
