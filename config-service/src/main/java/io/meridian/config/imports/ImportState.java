package io.meridian.config.imports;

/** How far an import is. */
public enum ImportState {
    /** Lines come in. */
    READING,
    /** All lines are good and become entries. */
    APPLYING,
    DONE,
    /** A line was wrong, so nothing was changed. */
    REFUSED,
    /** It broke off, and nothing was changed. */
    FAILED
}
