package io.meridian.config.rules;

import io.meridian.config.rules.StoredContext.Reader;
import io.meridian.config.rules.EntryChange.Precondition;
import io.meridian.config.rules.ChangeResult.EntryOutcome;
import io.meridian.config.audit.AuditTrail;
import io.meridian.config.audit.Actor;
import io.meridian.config.rules.ChangeResult.EntryOutcome.What;
import io.meridian.config.database.Database;
import io.meridian.config.database.Session;
import io.meridian.config.database.Timestamps;
import io.meridian.model.time.TimeSource;
import jakarta.enterprise.event.Event;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The rulebook, changed one set of changes after the other: the row of its revision is what they wait for. Rows, versions,
 * audit and outbox are one transaction.
 */
@Singleton
public class RuleStore {
    /** The most changes of one set. */
    public static final int CHANGES_MAX = 10_000;

    private final Database database;
    private final TimeSource time;
    private final Event<Changed> changed;

    RuleStore(Database database, TimeSource time, Event<Changed> changed) {
        this.database = database;
        this.time = time;
        this.changed = changed;
    }

    /** Makes all of the changes, or none. */
    public ChangeResult change(Actor actor, List<EntryChange> ops) {
        return change(actor, ops, Precondition.ALWAYS, KnownNames.UNCHECKED);
    }

    /**
     * The same if the rulebook as a whole is still what the caller has seen.
     *
     * @param names what policies may name
     */
    public ChangeResult change(Actor actor, List<EntryChange> ops, Precondition whole, KnownNames names) {
        ChangeResult applied = database.transaction(session -> {
            long revision = Revisions.next(session);
            check(whole, revision - 1);
            return apply(session, actor, ops, names, revision);
        });
        changed.fire(new Changed(applied.revision()));
        return applied;
    }

    /** What the changes would come to. */
    public ChangeResult rehearse(Actor actor, List<EntryChange> ops, Precondition whole, KnownNames names) {
        return database.read(session -> {
            long revision = Revisions.current(session);
            check(whole, revision);
            List<EntryOutcome> outcomes = planned(session, actor, ops, revision + 1, now());
            List<String> warnings = new NameCheck(session, outcomes, names).check();
            return new ChangeResult(isChange(outcomes) ? revision + 1 : revision, outcomes, warnings);
        });
    }

    private static void check(Precondition whole, long revision) {
        if (whole instanceof Precondition.Matches matches && !matches.holds(Revisions.etag(revision))) {
            throw new ChangeRefusedException(
                    ChangeRefusedException.Reason.STALE,
                    "the rulebook is at revision " + revision + ", not at " + matches.etags(),
                    Optional.empty());
        }
    }

    private ChangeResult apply(Session session, Actor actor, List<EntryChange> ops, KnownNames names, long revision) {
        Instant now = now();
        List<EntryOutcome> outcomes = planned(session, actor, ops, revision, now);
        List<String> warnings = new NameCheck(session, outcomes, names).check();
        if (!isChange(outcomes)) {
            Revisions.giveBack(session);
            return new ChangeResult(revision - 1, outcomes, warnings);
        }
        List<EntryOutcome> changes = outcomes.stream()
                .filter(outcome -> outcome.what() != What.UNCHANGED)
                .toList();
        new ChangeWriter(session, revision, now).write(changes);
        AuditTrail.write(session, actor, now, revision, changes);
        return new ChangeResult(revision, outcomes, warnings);
    }

    private static List<EntryOutcome> planned(Session session, Actor actor, List<EntryChange> ops, long revision, Instant now) {
        List<EntryOutcome> outcomes = ChangePlan.of(ops, new Reader(session).read(ops), revision, now, actor.name());
        new OverrideFitCheck(session, outcomes).check();
        return outcomes;
    }

    private static boolean isChange(List<EntryOutcome> outcomes) {
        return outcomes.stream().anyMatch(outcome -> outcome.what() != What.UNCHANGED);
    }

    private Instant now() {
        return Timestamps.ofMicros(time.wallMicros());
    }

    /** The rulebook is at a new revision, which Kafka has yet to be told. */
    public record Changed(long revision) {}
}
