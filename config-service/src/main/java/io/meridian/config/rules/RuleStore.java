package io.meridian.config.rules;

import io.meridian.config.audit.Actor;
import io.meridian.config.audit.AuditTrail;
import io.meridian.config.database.Database;
import io.meridian.config.database.Database.Session;
import io.meridian.config.database.Timestamps;
import io.meridian.config.rules.ChangeResult.Effect;
import io.meridian.config.rules.ChangeResult.EntryOutcome;
import io.meridian.config.rules.EntryChange.ChangeRefusedException;
import io.meridian.config.rules.EntryChange.Precondition;
import io.meridian.model.time.TimeSource;
import jakarta.enterprise.event.Event;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Store of the rules, which are changed by one set of changes after the other: the row of the revision serializes them.
 * Entries, policy versions, audit trail and outbox are written in one transaction.
 */
@Singleton
public class RuleStore {
    /** The most changes in one set. */
    public static final int CHANGES_MAX = 10_000;

    private final Database database;
    private final TimeSource time;
    private final Event<Changed> changed;

    RuleStore(Database database, TimeSource time, Event<Changed> changed) {
        this.database = database;
        this.time = time;
        this.changed = changed;
    }

    /** Makes all of the changes or none, unconditionally and without a check of names. */
    public ChangeResult change(Actor actor, List<EntryChange> changes) {
        return change(actor, changes, Precondition.ALWAYS, KnownNames.UNCHECKED, ChangeGuard.NONE);
    }

    /**
     * Makes all of the changes or none.
     *
     * @param whole condition on the revision of the rules as a whole
     * @param names the names that policies may select or count by
     * @param guard what depends on how the changes came about
     */
    public ChangeResult change(
            Actor actor, List<EntryChange> changes, Precondition whole, KnownNames names, ChangeGuard guard) {
        ChangeResult result = database.transaction(session -> {
            long revision = EntryTables.nextRevision(session);
            check(whole, revision - 1);
            return apply(session, actor, changes, names, guard, revision);
        });
        changed.fire(new Changed(result.revision()));
        return result;
    }

    /** Dry run: the result that the changes would have. */
    public ChangeResult dryRun(
            Actor actor, List<EntryChange> changes, Precondition whole, KnownNames names, ChangeGuard guard) {
        return database.read(session -> {
            long revision = EntryTables.revision(session);
            check(whole, revision);
            List<EntryOutcome> outcomes = planned(session, actor, changes, guard, revision + 1, now());
            List<String> warnings = new NameCheck(session, outcomes, names).check();
            return new ChangeResult(isChange(outcomes) ? revision + 1 : revision, outcomes, warnings);
        });
    }

    private static void check(Precondition whole, long revision) {
        if (whole instanceof Precondition.Matches matches && !matches.holds(StoredEntry.etag(revision))) {
            throw new ChangeRefusedException(
                    ChangeRefusedException.Reason.STALE,
                    "the rulebook is at revision " + revision + ", not at " + matches.etags(),
                    Optional.empty());
        }
    }

    private ChangeResult apply(
            Session session,
            Actor actor,
            List<EntryChange> changes,
            KnownNames names,
            ChangeGuard guard,
            long revision) {
        Instant now = now();
        List<EntryOutcome> outcomes = planned(session, actor, changes, guard, revision, now);
        List<String> warnings = new NameCheck(session, outcomes, names).check();
        if (!isChange(outcomes)) {
            EntryTables.returnRevision(session);
            ChangeResult nothing = new ChangeResult(revision - 1, outcomes, warnings);
            guard.written(session, nothing, now);
            return nothing;
        }
        List<EntryOutcome> effective = outcomes.stream()
                .filter(outcome -> outcome.effect() != Effect.UNCHANGED)
                .toList();
        new ChangeWriter(session, revision, now).write(effective);
        AuditTrail.append(
                session,
                actor,
                now,
                effective.stream().map(outcome -> auditRow(outcome, revision)).toList());
        ChangeResult result = new ChangeResult(revision, outcomes, warnings);
        guard.written(session, result, now);
        return result;
    }

    private static AuditTrail.Row auditRow(EntryOutcome outcome, long revision) {
        return new AuditTrail.Row(
                outcome.effect().name().toLowerCase(Locale.ROOT),
                EntryKind.of(outcome.key()).label(),
                EntryKind.id(outcome.key()),
                revision,
                outcome.before().map(EntryDocument::write),
                outcome.after().map(EntryDocument::write));
    }

    private static List<EntryOutcome> planned(
            Session session, Actor actor, List<EntryChange> changes, ChangeGuard guard, long revision, Instant now) {
        StoredContext context = StoredContext.read(session, changes);
        guard.admit(session, changes, context.entries());
        List<EntryOutcome> outcomes = ChangePlan.of(changes, context, revision, now, actor.name());
        guard.check(session, outcomes);
        new OverrideFitCheck(session, outcomes).check();
        return outcomes;
    }

    private static boolean isChange(List<EntryOutcome> outcomes) {
        return outcomes.stream().anyMatch(outcome -> outcome.effect() != Effect.UNCHANGED);
    }

    private Instant now() {
        return Timestamps.ofMicros(time.wallMicros());
    }

    /** Event: the rules are at a new revision, which is not yet published to Kafka. */
    public record Changed(long revision) {}
}
