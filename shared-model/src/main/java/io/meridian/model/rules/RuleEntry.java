package io.meridian.model.rules;

import io.meridian.model.policy.AdaptiveTable;
import io.meridian.model.policy.Policy;
import io.meridian.model.rules.ListEntry.ListKind;
import io.meridian.model.rules.Tier.ClientTier;

/** Entry of a rulebook. */
public sealed interface RuleEntry {
    /** The key of the entry; a rulebook has one entry per key. */
    Key key();

    /** A policy. */
    record OfPolicy(Policy policy) implements RuleEntry {
        @Override
        public Key key() {
            return new Key.OfPolicy(policy.id());
        }
    }

    /** A tier. */
    record OfTier(Tier tier) implements RuleEntry {
        @Override
        public Key key() {
            return new Key.OfTier(tier.name());
        }
    }

    /** A client's tier. */
    record OfClientTier(ClientTier clientTier) implements RuleEntry {
        @Override
        public Key key() {
            return new Key.OfClientTier(clientTier.identifier());
        }
    }

    /** An override. */
    record OfOverride(LimitOverride override) implements RuleEntry {
        @Override
        public Key key() {
            return new Key.OfOverride(override.policy(), override.identifier());
        }
    }

    /** A line of a list. */
    record OfList(ListKind list, ListEntry entry) implements RuleEntry {
        @Override
        public Key key() {
            return new Key.OfList(list, entry.identifier());
        }
    }

    /** The table by which adaptive limits follow the load. */
    record OfAdaptive(AdaptiveTable table) implements RuleEntry {
        @Override
        public Key key() {
            return new Key.OfAdaptive();
        }
    }

    /** Key of an entry: a later entry with the same key replaces it, and a removal removes it. */
    sealed interface Key {
        /** The policy of this id. */
        record OfPolicy(String id) implements Key {}

        /** The tier of this name. */
        record OfTier(String name) implements Key {}

        /** The tier of this client. */
        record OfClientTier(Identifier identifier) implements Key {}

        /** The override of this policy for this client. */
        record OfOverride(String policy, Identifier identifier) implements Key {}

        /** This client's line on a list. */
        record OfList(ListKind list, Identifier identifier) implements Key {}

        /** The adaptive table. */
        record OfAdaptive() implements Key {}
    }

    /** Change of one entry of a rulebook. Of several for one key the last counts, and a repeated one changes nothing. */
    sealed interface Change {
        /** The entry is added or replaced. */
        record Put(RuleEntry entry) implements Change {}

        /** The entry is removed. */
        record Removed(Key key) implements Change {}
    }
}
