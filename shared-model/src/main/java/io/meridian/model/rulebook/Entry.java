package io.meridian.model.rulebook;

import io.meridian.model.policy.AdaptiveTable;
import io.meridian.model.policy.Policy;

/** One thing a rulebook is made of. */
public sealed interface Entry {
    /** What it is the entry for; a rulebook has one entry per key. */
    EntryKey key();

    /** A policy. */
    record OfPolicy(Policy policy) implements Entry {
        @Override
        public EntryKey key() {
            return new EntryKey.OfPolicy(policy.id());
        }
    }

    /** A tier. */
    record OfTier(Tier tier) implements Entry {
        @Override
        public EntryKey key() {
            return new EntryKey.OfTier(tier.name());
        }
    }

    /** A client's tier. */
    record OfClientTier(ClientTier clientTier) implements Entry {
        @Override
        public EntryKey key() {
            return new EntryKey.OfClientTier(clientTier.identifier());
        }
    }

    /** An override. */
    record OfOverride(LimitOverride override) implements Entry {
        @Override
        public EntryKey key() {
            return new EntryKey.OfOverride(override.policy(), override.identifier());
        }
    }

    /** A line of a list. */
    record OfList(ListKind list, ListEntry entry) implements Entry {
        @Override
        public EntryKey key() {
            return new EntryKey.OfList(list, entry.identifier());
        }
    }

    /** How adaptive limits follow the load. */
    record OfAdaptive(AdaptiveTable table) implements Entry {
        @Override
        public EntryKey key() {
            return new EntryKey.OfAdaptive();
        }
    }
}
