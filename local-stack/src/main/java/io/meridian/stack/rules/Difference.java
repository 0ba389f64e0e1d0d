package io.meridian.stack.rules;

import io.meridian.model.rulebook.Entry;
import io.meridian.model.rulebook.EntryKey;
import java.util.Optional;

/** What files and a rulebook say differently of one key. */
sealed interface Difference {
    EntryKey key();

    /** What the files say, if they do. */
    Optional<Placed> placed();

    /** Only the files have it. */
    record Added(Placed added) implements Difference {
        @Override
        public EntryKey key() {
            return added.entry().key();
        }

        @Override
        public Optional<Placed> placed() {
            return Optional.of(added);
        }
    }

    /** Both have it, with other fields. */
    record Changed(Entry before, Placed after) implements Difference {
        @Override
        public EntryKey key() {
            return before.key();
        }

        @Override
        public Optional<Placed> placed() {
            return Optional.of(after);
        }
    }

    /** Only the rulebook has it, in a section that the files have too. */
    record Removed(EntryKey key) implements Difference {
        @Override
        public Optional<Placed> placed() {
            return Optional.empty();
        }
    }
}
