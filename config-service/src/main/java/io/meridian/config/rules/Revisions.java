package io.meridian.config.rules;

import io.meridian.config.database.Session;

/** The count of changes, and which of them changed each kind of entries last. */
public final class Revisions {
    private Revisions() {}

    /** The tag of a version: the rulebook's as a whole, or that of an entry which is not a policy. */
    public static String etag(long revision) {
        return "\"" + revision + "\"";
    }

    static long current(Session session) {
        return session.run("SELECT revision FROM rulebook").iterator().next().getLong("revision");
    }

    /** Takes the next revision; whoever comes next waits until this transaction ends. */
    public static long next(Session session) {
        return session.run("UPDATE rulebook SET revision = revision + 1 RETURNING revision")
                .iterator()
                .next()
                .getLong("revision");
    }

    /** Gives back what was taken: nothing changed after all. */
    static void giveBack(Session session) {
        session.run("UPDATE rulebook SET revision = revision - 1");
    }

    public static void touched(Session session, EntryKind kind, long revision) {
        session.run("UPDATE kind_revision SET revision = $1 WHERE kind = $2", revision, kind.label());
    }
}
