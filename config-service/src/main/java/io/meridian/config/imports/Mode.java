package io.meridian.config.imports;

/** What an import does to the entries that are not in it. */
public enum Mode {
    /** They stay. */
    MERGE,
    /** They go. */
    REPLACE
}
