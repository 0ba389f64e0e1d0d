package io.meridian.model.rulebook;

/** What an entry is for: what a later entry replaces and a removal removes. */
public sealed interface EntryKey {
    /** The policy of this id. */
    record OfPolicy(String id) implements EntryKey {}

    /** The tier of this name. */
    record OfTier(String name) implements EntryKey {}

    /** The tier of this client. */
    record OfClientTier(Identifier identifier) implements EntryKey {}

    /** The override of this policy for this client. */
    record OfOverride(String policy, Identifier identifier) implements EntryKey {}

    /** This client's line on a list. */
    record OfList(ListKind list, Identifier identifier) implements EntryKey {}

    /** The adaptive table. */
    record OfAdaptive() implements EntryKey {}
}
