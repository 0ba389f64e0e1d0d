package io.meridian.config.outbox;

import io.meridian.config.database.Database;
import io.meridian.config.database.Database.Session;
import io.meridian.config.outbox.Outbox.Pending;
import io.meridian.config.rules.EntryKind;
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
 * Comparison of the topic with the database, which sends again what the topic lacks, has in an older form, or should not have.
 * Entries that wait in the outbox are not missing, and entries published meanwhile are left to the next comparison.
 */
final class TopicReconciliation {
    /** The most entries repaired at once; the rest is found the next time. */
    static final int REPAIRS_MAX = 10_000;

    private static final int PAGE = 5_000;

    private final Database database;
    private final OutboxRepairs repairs;
    private final TopicLog log;
    /** Whether the topic has more surplus entries than were looked at. */
    private boolean truncated;

    TopicReconciliation(Database database, OutboxRepairs repairs, TopicLog log) {
        this.database = database;
        this.repairs = repairs;
        this.log = log;
    }

    /**
     * Result of a comparison.
     *
     * @param repaired how many entries were sent again or removed
     * @param complete whether nothing is left to be repaired: the topic, with the changes waiting in the outbox, equals the
     *     database
     */
    record Result(int repaired, boolean complete) {}

    /**
     * Sends again or removes the entries that differ.
     *
     * @param progress called regularly, to renew the lease and publish
     * @param isFresh whether an entry was published after the topic was read, so that the record read is outdated
     */
    Result run(TopicContent topic, Runnable progress, Predicate<RuleEntry.Key> isFresh) {
        repairs.raiseCounters(topic.end().revision(), topic.end().position());
        RevisionTable stored = new RevisionTable();
        Set<RuleEntry.Key> wrong = new HashSet<>();
        for (EntryKind kind : EntryKind.values()) {
            compare(kind, topic, stored, wrong, progress);
        }
        findSurplus(stored, wrong, progress);
        boolean complete = wrong.size() < REPAIRS_MAX && !truncated;
        wrong.removeIf(isFresh);
        return new Result(wrong.isEmpty() ? 0 : repairs.send(wrong), complete);
    }

    private void compare(
            EntryKind kind, TopicContent topic, RevisionTable stored, Set<RuleEntry.Key> wrong, Runnable progress) {
        String after = "";
        List<Row> page;
        do {
            String from = after;
            page = database.read(session -> page(session, kind, from));
            for (Row row : page) {
                after = row.getString("id");
                RuleEntry.Key key = kind.key(after);
                long hash = RevisionTable.hash(EntryCodec.key(key));
                long revision = row.getLong("revision");
                stored.put(hash, revision);
                if (topic.revisions().get(hash) < revision && wrong.size() < REPAIRS_MAX) {
                    wrong.add(key);
                }
            }
            progress.run();
        } while (page.size() == PAGE);
    }

    private static List<Row> page(Session session, EntryKind kind, String after) {
        String sql = kind == EntryKind.POLICY
                ? "SELECT id, v.revision FROM policy JOIN policy_version v USING (id, version)"
                : "SELECT id, version AS revision FROM " + kind.table();
        List<Row> rows = new ArrayList<>();
        session.run(sql + " WHERE id > $1 ORDER BY id LIMIT $2", after, PAGE).forEach(rows::add);
        return rows;
    }

    /**
     * Finds entries that only the topic has: their keys are in the topic alone, which is therefore read a second time. Finds
     * also entries with a later revision in the topic than in the database: either they were sent again, or the database was
     * restored to an earlier state. Only the content tells which, so it is compared, a bounded number of entries at a time.
     */
    private void findSurplus(RevisionTable stored, Set<RuleEntry.Key> wrong, Runnable progress) {
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
                progress);
        truncated = surplus.size() >= REPAIRS_MAX;
        surplus.forEach(key -> read(key).ifPresent(wrong::add));
        wrong.addAll(repairs.differing(later));
    }

    /** The entry of a key; empty where another writer wrote a record that is no entry. */
    private static Optional<RuleEntry.Key> read(String key) {
        try {
            return Optional.of(((RuleEntry.Change.Removed) EntryCodec.decode(key, null)).key());
        } catch (WireException unreadable) {
            return Optional.empty();
        }
    }

    /** Content of the topic from its beginning to its end: the revision of every entry, and the last position. */
    record TopicContent(RevisionTable revisions, TopicLog.End end) {
        /** @param progress called regularly during the read */
        static TopicContent read(TopicLog log, Runnable progress) {
            RevisionTable revisions = new RevisionTable();
            TopicLog.End[] end = {TopicLog.End.NONE};
            log.each(
                    (record, revision) -> {
                        if (record.key() != null) {
                            revisions.put(
                                    RevisionTable.hash(record.key()),
                                    record.value() == null ? RevisionTable.ABSENT : revision);
                        }
                        end[0] = end[0].with(record);
                    },
                    progress);
            return new TopicContent(revisions, end[0]);
        }
    }

    /** Bounded set of the entries published since a reconciliation began; when it is full every entry counts as published. */
    static final class PublishedSince {
        static final int KEYS_MAX = 100_000;

        private final Set<String> keys = new HashSet<>();

        void add(List<Pending> published) {
            if (keys.size() < KEYS_MAX) {
                published.forEach(each -> keys.add(each.key()));
            }
        }

        boolean isFull() {
            return keys.size() >= KEYS_MAX;
        }

        boolean contains(RuleEntry.Key key) {
            return isFull() || keys.contains(EntryCodec.key(key));
        }
    }
}
