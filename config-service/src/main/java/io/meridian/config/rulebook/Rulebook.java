package io.meridian.config.rulebook;

import io.meridian.config.rulebook.Outcome.What;
import io.meridian.config.store.Database;
import io.meridian.config.store.Session;
import io.meridian.config.store.Times;
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
public class Rulebook {
    /** The most changes of one set. */
    public static final int CHANGES_MAX = 10_000;

    private final Database database;
    private final TimeSource time;
    private final Event<RulebookChanged> changed;

    Rulebook(Database database, TimeSource time, Event<RulebookChanged> changed) {
        this.database = database;
        this.time = time;
        this.changed = changed;
    }

    /** Makes all of the changes, or none. */
    public Applied change(Actor actor, List<Op> ops) {
        return change(actor, ops, Condition.ALWAYS, KnownNames.UNCHECKED);
    }

    /**
     * The same if the rulebook as a whole is still what the caller has seen.
     *
     * @param names what policies may name
     */
    public Applied change(Actor actor, List<Op> ops, Condition whole, KnownNames names) {
        Applied applied = database.transaction(session -> {
            long revision = Revisions.next(session);
            check(whole, revision - 1);
            return apply(session, actor, ops, names, revision);
        });
        changed.fire(new RulebookChanged(applied.revision()));
        return applied;
    }

    /** What the changes would come to. */
    public Applied rehearse(Actor actor, List<Op> ops, Condition whole, KnownNames names) {
        return database.read(session -> {
            long revision = Revisions.current(session);
            check(whole, revision);
            List<Outcome> outcomes = planned(session, actor, ops, revision + 1, now());
            List<String> warnings = new NameCheck(session, outcomes, names).check();
            return new Applied(isChange(outcomes) ? revision + 1 : revision, outcomes, warnings);
        });
    }

    private static void check(Condition whole, long revision) {
        if (whole instanceof Condition.Matches matches && !matches.holds(Revisions.etag(revision))) {
            throw new ChangeRefused(
                    ChangeRefused.Reason.STALE,
                    "the rulebook is at revision " + revision + ", not at " + matches.etags(),
                    Optional.empty());
        }
    }

    private Applied apply(Session session, Actor actor, List<Op> ops, KnownNames names, long revision) {
        Instant now = now();
        List<Outcome> outcomes = planned(session, actor, ops, revision, now);
        List<String> warnings = new NameCheck(session, outcomes, names).check();
        if (!isChange(outcomes)) {
            Revisions.giveBack(session);
            return new Applied(revision - 1, outcomes, warnings);
        }
        List<Outcome> changes = outcomes.stream()
                .filter(outcome -> outcome.what() != What.UNCHANGED)
                .toList();
        new ChangeWriter(session, revision, now).write(changes);
        Audit.write(session, actor, now, revision, changes);
        return new Applied(revision, outcomes, warnings);
    }

    private static List<Outcome> planned(Session session, Actor actor, List<Op> ops, long revision, Instant now) {
        List<Outcome> outcomes = Plan.of(ops, new KnownReader(session).read(ops), revision, now, actor.name());
        new UnfitOverrides(session, outcomes).check();
        return outcomes;
    }

    private static boolean isChange(List<Outcome> outcomes) {
        return outcomes.stream().anyMatch(outcome -> outcome.what() != What.UNCHANGED);
    }

    private Instant now() {
        return Times.ofMicros(time.wallMicros());
    }
}
