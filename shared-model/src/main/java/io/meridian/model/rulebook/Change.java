package io.meridian.model.rulebook;

/** One step from a rulebook to the next. Of several for one key the last counts, and a repeated one changes nothing. */
public sealed interface Change {
    /** The entry is now this. */
    record Put(Entry entry) implements Change {}

    /** There is no such entry any more. */
    record Removed(EntryKey key) implements Change {}
}
