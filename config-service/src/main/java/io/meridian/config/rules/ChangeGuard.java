package io.meridian.config.rules;

import io.meridian.config.database.Database.Session;
import io.meridian.config.rules.ChangeResult.EntryOutcome;
import io.meridian.config.rules.EntryChange.ChangeRefusedException;
import io.meridian.config.rules.EntryChange.ChangeRefusedException.Reason;
import io.meridian.model.rules.RuleEntry;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Part of the transaction of a set of changes that depends on how the set came about: by a direct call, by a tenant admin, by a proposal. A
 * refusal is an exception, and nothing is changed. The rules do not change between the calls, because the row of the revision is locked.
 */
public interface ChangeGuard {
    /** Called before anything is planned, also in a dry run, with the stored entries that the changes name. */
    default void admit(Session session, List<EntryChange> changes, Map<RuleEntry.Key, StoredEntry> stored) {}

    /** Called with the plan, also in a dry run. */
    default void check(Session session, List<EntryOutcome> outcomes) {}

    /** Called after the changes were written, to write rows of its own; also if no entry changed. */
    default void written(Session session, ChangeResult result, Instant now) {}

    /** This guard, then the other. */
    default ChangeGuard and(ChangeGuard other) {
        ChangeGuard first = this;
        return new ChangeGuard() {
            @Override
            public void admit(Session session, List<EntryChange> changes, Map<RuleEntry.Key, StoredEntry> stored) {
                first.admit(session, changes, stored);
                other.admit(session, changes, stored);
            }

            @Override
            public void check(Session session, List<EntryOutcome> outcomes) {
                first.check(session, outcomes);
                other.check(session, outcomes);
            }

            @Override
            public void written(Session session, ChangeResult result, Instant now) {
                first.written(session, result, now);
                other.written(session, result, now);
            }
        };
    }

    /** Refuses nothing. */
    ChangeGuard NONE = new ChangeGuard() {};

    /**
     * Guard of direct changes: a protected policy is changed and deleted by an applied proposal only.
     *
     * @param mayProtect whether the caller may protect a policy without a proposal
     */
    record Protection(boolean mayProtect) implements ChangeGuard {
        @Override
        public void check(Session session, List<EntryOutcome> outcomes) {
            for (EntryOutcome outcome : outcomes) {
                if (outcome.effect() != ChangeResult.Effect.UNCHANGED) {
                    check(outcome);
                }
            }
        }

        private void check(EntryOutcome outcome) {
            String policy = EntryKind.describe(outcome.key());
            if (isProtected(outcome.before())) {
                throw new ChangeRefusedException(
                        Reason.PROTECTED, policy + " is protected: change it by a proposal", outcome.before());
            }
            if (isProtected(outcome.after()) && !mayProtect) {
                throw new ChangeRefusedException(
                        Reason.FORBIDDEN,
                        policy + " is to be protected, which needs the role admin or a proposal",
                        outcome.before());
            }
        }

        private static boolean isProtected(Optional<StoredEntry> entry) {
            return entry.map(stored -> stored.entry() instanceof RuleEntry.OfPolicy of
                            && of.policy().isProtected())
                    .orElse(false);
        }
    }
}
