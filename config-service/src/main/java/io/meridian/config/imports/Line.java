package io.meridian.config.imports;

import io.meridian.model.rulebook.Entry;

/** One line of an import: an entry, or what is wrong with it. */
sealed interface Line {
    /** Where it begins, from 1. */
    long number();

    /** An entry. */
    record Good(long number, Entry entry) implements Line {}

    /** No entry. */
    record Wrong(long number, String reason) implements Line {}
}
