package io.meridian.config.imports;

/** How far an import is. */
public enum ImportState {
    /** Lines come in. */
    READING,
    /** All lines are good and become entries. */
    APPLYING,
    DONE,
    /** All lines are good, and nothing was to be changed. */
    REHEARSED,
    /** A line was wrong, so nothing was changed. */
    REFUSED,
    /** It broke off, and nothing was changed. */
    FAILED
}
