package io.meridian.stack.rulebook;

import io.meridian.model.rules.RuleEntry;
import java.util.Optional;

/** What files and a rulebook say differently of one key. */
sealed interface Difference {
    RuleEntry.Key key();

    /** What the files say, if they do. */
    Optional<Placed> placed();

    /** Only the files have it. */
    record Added(Placed added) implements Difference {
        @Override
        public RuleEntry.Key key() {
            return added.entry().key();
        }

        @Override
        public Optional<Placed> placed() {
            return Optional.of(added);
        }
    }

    /** Both have it, with other fields. */
    record Changed(RuleEntry before, Placed after) implements Difference {
        @Override
        public RuleEntry.Key key() {
            return before.key();
        }

        @Override
        public Optional<Placed> placed() {
            return Optional.of(after);
        }
    }

    /** Only the rulebook has it, in a section that the files have too. */
    record Removed(RuleEntry.Key key) implements Difference {
        @Override
        public Optional<Placed> placed() {
            return Optional.empty();
        }
    }
}
