package io.meridian.config.outbox;

import io.meridian.config.rulebook.EntryIds;
import io.meridian.config.rulebook.Kind;
import io.meridian.config.rulebook.Repairs;
import io.meridian.config.store.Database;
import io.meridian.config.store.Session;
import io.meridian.model.rules.RuleEntry;
import io.meridian.model.wire.EntryCodec;
import io.meridian.model.wire.WireException;
import io.vertx.mutiny.sqlclient.Row;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Holds the topic against the database and sends again what it lacks, has in an older form, or should not have. What waits in the
 * outbox is not missing, and what was published meanwhile is left to the next time.
 */
final class Reconciliation {
    /** The most that is mended at once; the rest is found the next time. */
    static final int REPAIRS_MAX = 10_000;

    private static final int PAGE = 5_000;

    private final Database database;
    private final Repairs repairs;
    private final TopicLog log;
    /** Whether the topic has more that is wrong than was looked at. */
    private boolean truncated;

    Reconciliation(Database database, Repairs repairs, TopicLog log) {
        this.database = database;
        this.repairs = repairs;
        this.log = log;
    }

    /**
     * What was found.
     *
     * @param repaired how many entries were sent again or removed
     * @param complete whether nothing is left to be mended: with what waits in the outbox the topic says what the database does
     */
    record Result(int repaired, boolean complete) {}

    /**
     * Sends again or removes the entries that differ.
     *
     * @param onward what is done now and then meanwhile, publishing among it
     * @param isFresh whether an entry was published since before the topic was read, so that what was read of it is past
     */
    Result run(TopicContent topic, Runnable onward, Predicate<RuleEntry.Key> isFresh) {
        repairs.lift(topic.end().revision(), topic.end().position());
        RevisionTable stored = new RevisionTable();
        Set<RuleEntry.Key> wrong = new HashSet<>();
        for (Kind kind : Kind.values()) {
            compare(kind, topic, stored, wrong, onward);
        }
        second(stored, wrong, onward);
        boolean complete = wrong.size() < REPAIRS_MAX && !truncated;
        wrong.removeIf(isFresh);
        return new Result(wrong.isEmpty() ? 0 : repairs.send(wrong), complete);
    }

    private void compare(Kind kind, TopicContent topic, RevisionTable stored, Set<RuleEntry.Key> wrong, Runnable onward) {
        String after = "";
        List<Row> page;
        do {
            String from = after;
            page = database.read(session -> page(session, kind, from));
            for (Row row : page) {
                after = row.getString("id");
                RuleEntry.Key key = EntryIds.read(kind, after);
                long hash = RevisionTable.hash(EntryCodec.key(key));
                long revision = row.getLong("revision");
                stored.put(hash, revision);
                if (topic.revisions().get(hash) < revision && wrong.size() < REPAIRS_MAX) {
                    wrong.add(key);
                }
            }
            onward.run();
        } while (page.size() == PAGE);
    }

    private static List<Row> page(Session session, Kind kind, String after) {
        String sql = kind == Kind.POLICY
                ? "SELECT id, v.revision FROM policy JOIN policy_version v USING (id, version)"
                : "SELECT id, version AS revision FROM " + kind.table();
        List<Row> rows = new ArrayList<>();
        session.run(sql + " WHERE id > $1 ORDER BY id LIMIT $2", after, PAGE).forEach(rows::add);
        return rows;
    }

    /**
     * Finds what the topic has and the database does not: its keys are only in the topic, which is therefore read once more. And what the topic
     * has from a revision after the database's own: that was sent again, or a restored database has not done it yet. Only its content tells
     * which, so it is compared, a bounded number of entries at a time.
     */
    private void second(RevisionTable stored, Set<RuleEntry.Key> wrong, Runnable onward) {
        Set<String> surplus = new HashSet<>();
        Map<String, String> later = new HashMap<>();
        log.each(
                (record, revision) -> {
                    String key = record.key();
                    if (key == null) {
                        return;
                    }
                    surplus.remove(key);
                    later.remove(key);
                    long own = stored.get(RevisionTable.hash(key));
                    if (record.value() == null) {
                        return;
                    }
                    if (own == RevisionTable.ABSENT
                            && surplus.size() < REPAIRS_MAX
                            && read(key).isPresent()) {
                        surplus.add(key);
                    } else if (own != RevisionTable.ABSENT && own < revision) {
                        later.put(key, record.value());
                        if (later.size() == REPAIRS_MAX) {
                            wrong.addAll(repairs.differing(later));
                            later.clear();
                        }
                    }
                },
                onward);
        truncated = surplus.size() >= REPAIRS_MAX;
        surplus.forEach(key -> read(key).ifPresent(wrong::add));
        wrong.addAll(repairs.differing(later));
    }

    /** A key that nobody can read is no entry of ours. */
    private static Optional<RuleEntry.Key> read(String key) {
        try {
            return Optional.of(((RuleEntry.Change.Removed) EntryCodec.decode(key, null)).key());
        } catch (WireException unreadable) {
            return Optional.empty();
        }
    }
}
