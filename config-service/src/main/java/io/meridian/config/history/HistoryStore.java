package io.meridian.config.history;

import io.meridian.config.audit.AuditTrail;
import io.meridian.config.database.Database;
import io.meridian.config.database.Database.Session;
import io.meridian.config.database.Timestamps;
import io.meridian.config.history.DailyPartitions.Table;
import io.meridian.config.history.HistoryBatch.UsagePoint;
import io.meridian.config.history.HistoryBatch.ViolationRow;
import io.meridian.config.ops.HistoryMetrics;
import io.meridian.config.ops.HistoryMetrics.Skipped;
import io.meridian.model.usage.UsageCount;
import io.vertx.mutiny.sqlclient.Row;
import jakarta.inject.Singleton;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** Writer of batches: rows and the positions after them in one transaction, so that each record counts once. */
@Singleton
class HistoryStore {
    private final long graceMicros;
    private final Database database;
    private final DailyPartitions partitions;
    private final HistoryMetrics metrics;

    HistoryStore(Database database, DailyPartitions partitions, HistoryConfig config, HistoryMetrics metrics) {
        this.graceMicros = PromiseRows.graceMicros(config);
        this.database = database;
        this.partitions = partitions;
        this.metrics = metrics;
    }

    /** Positions from which to continue. */
    Map<TopicPartition, Long> positions(Collection<TopicPartition> assigned) {
        partitions.ensureToday();
        return database.transaction(session -> Positions.load(session, assigned));
    }

    /** Writes the batch; false if another reader has moved the positions meanwhile. */
    boolean write(HistoryBatch batch, Map<TopicPartition, Long> from, Map<TopicPartition, Long> to) {
        partitions.ensureToday();
        int late = database.transaction(
                session -> Positions.move(session, from, to) ? writeRows(session, batch, graceMicros) : -1);
        if (late < 0) {
            metrics.conflict();
            return false;
        }
        metrics.batch(batch.records());
        batch.skipped().forEach(metrics::skipped);
        metrics.skipped(Skipped.OUT_OF_TIME, late);
        return true;
    }

    /** Writes the rows whose day has a partition, and returns the number of the others. */
    private static int writeRows(Session session, HistoryBatch batch, long graceMicros) {
        Set<LocalDate> usageDays = Table.USAGE_HISTORY.days(session);
        List<Map.Entry<UsagePoint, UsageCount>> usage = batch.usage().entrySet().stream()
                .filter(row -> usageDays.contains(Timestamps.day(row.getKey().bucketMicros())))
                .toList();
        Set<LocalDate> violationDays = Table.VIOLATION.days(session);
        List<ViolationRow> violations = batch.violations().stream()
                .filter(row ->
                        violationDays.contains(Timestamps.day(row.violation().lastMicros())))
                .toList();
        HistoryRows.writeUsage(session, usage);
        HistoryRows.writeViolations(session, violations);
        AuditTrail.appendOperations(session, batch.operations());
        return batch.usage().size()
                - usage.size()
                + batch.violations().size()
                - violations.size()
                + writePromises(session, batch.promises(), graceMicros);
    }

    private static int writePromises(Session session, PromiseRows promises, long graceMicros) {
        return promises.isEmpty() ? 0 : promises.write(session, Table.PROMISE_ACCOUNT.days(session), graceMicros);
    }

    /** Positions in Kafka, stored in PostgreSQL. */
    private static final class Positions {
        private static final String BEGIN = "INSERT INTO intake_position (topic, partition, next_offset)"
                + " SELECT topic, partition, 0 FROM unnest($1::text[], $2::integer[]) AS begun (topic, partition)"
                + " ON CONFLICT DO NOTHING";
        private static final String READ =
                "SELECT topic, partition, next_offset FROM intake_position WHERE topic = ANY ($1)";
        /** In one order, so that two readers never deadlock. */
        private static final String LOCK = READ + " ORDER BY topic, partition FOR UPDATE";

        private static final String MOVE = "UPDATE intake_position SET next_offset = moved.next_offset"
                + " FROM unnest($1::text[], $2::integer[], $3::bigint[]) AS moved (topic, partition, next_offset)"
                + " WHERE intake_position.topic = moved.topic AND intake_position.partition = moved.partition";

        private Positions() {}

        /** The positions of these partitions, 0 for one that was never read. */
        static Map<TopicPartition, Long> load(Session session, Collection<TopicPartition> partitions) {
            session.run(BEGIN, topics(partitions), numbers(partitions));
            Map<TopicPartition, Long> all = read(session, READ, partitions);
            all.keySet().retainAll(partitions);
            return all;
        }

        /** Moves the positions if they are still those of the reader, and locks them until the transaction ends. */
        static boolean move(Session session, Map<TopicPartition, Long> from, Map<TopicPartition, Long> to) {
            Map<TopicPartition, Long> stored = read(session, LOCK, from.keySet());
            if (!stored.entrySet().containsAll(from.entrySet())) {
                return false;
            }
            session.run(
                    MOVE, topics(to.keySet()), numbers(to.keySet()), to.values().toArray(Long[]::new));
            return true;
        }

        private static Map<TopicPartition, Long> read(
                Session session, String sql, Collection<TopicPartition> partitions) {
            Map<TopicPartition, Long> positions = new HashMap<>();
            String[] topics =
                    partitions.stream().map(TopicPartition::topic).distinct().toArray(String[]::new);
            for (Row row : session.run(sql, (Object) topics)) {
                positions.put(new TopicPartition(row.getString(0), row.getInteger(1)), row.getLong(2));
            }
            return positions;
        }

        private static String[] topics(Collection<TopicPartition> partitions) {
            return partitions.stream().map(TopicPartition::topic).toArray(String[]::new);
        }

        private static Integer[] numbers(Collection<TopicPartition> partitions) {
            return partitions.stream().map(TopicPartition::partition).toArray(Integer[]::new);
        }
    }

    /** Statements that write the rows of a batch, one per table. Idempotent: rows that exist already are not changed. */
    static final class HistoryRows {
        private static final String USAGE = "INSERT INTO usage_history AS kept"
                + " (policy, key, region, incarnation, window_micros, bucket, taken, returned)"
                + " SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::timestamptz[],"
                + " $7::bigint[], $8::bigint[])"
                + " ON CONFLICT (policy, key, region, incarnation, window_micros, bucket) DO UPDATE SET"
                + " taken = greatest(kept.taken, excluded.taken), returned = greatest(kept.returned, excluded.returned)"
                + " WHERE excluded.taken > kept.taken OR excluded.returned > kept.returned";
        private static final String VIOLATIONS = "INSERT INTO violation (last_at, source_partition, source_offset,"
                + " first_at, policy, policy_version, key, region, count, cost, shadow, endpoint, method, limit_units,"
                + " used_units, limit_window) SELECT * FROM unnest($1::timestamptz[], $2::integer[], $3::bigint[],"
                + " $4::timestamptz[], $5::text[], $6::bigint[], $7::text[], $8::text[], $9::bigint[], $10::bigint[],"
                + " $11::boolean[], $12::text[], $13::text[], $14::bigint[], $15::bigint[], $16::text[]) ON CONFLICT (last_at,"
                + " source_partition, source_offset) DO NOTHING";

        private HistoryRows() {}

        static void writeUsage(Session session, List<Map.Entry<UsagePoint, UsageCount>> rows) {
            if (rows.isEmpty()) {
                return;
            }
            session.run(
                    USAGE,
                    texts(rows, row -> row.getKey().limit().policyId()),
                    texts(rows, row -> row.getKey().limit().key()),
                    texts(rows, row -> row.getKey().life().region()),
                    numbers(rows, row -> row.getKey().life().number()),
                    numbers(rows, row -> row.getKey().limit().startMicros()),
                    times(rows, row -> row.getKey().bucketMicros()),
                    numbers(rows, row -> row.getValue().taken()),
                    numbers(rows, row -> row.getValue().returned()));
        }

        static void writeViolations(Session session, List<ViolationRow> rows) {
            if (rows.isEmpty()) {
                return;
            }
            session.run(
                    VIOLATIONS,
                    times(rows, row -> row.violation().lastMicros()),
                    rows.stream().map(ViolationRow::sourcePartition).toArray(Integer[]::new),
                    numbers(rows, ViolationRow::sourceOffset),
                    times(rows, row -> row.violation().firstMicros()),
                    texts(rows, row -> row.violation().policyId()),
                    numbers(rows, row -> row.violation().policyVersion()),
                    texts(rows, row -> row.violation().key()),
                    texts(rows, row -> row.violation().region()),
                    numbers(rows, row -> row.violation().count()),
                    numbers(rows, row -> row.violation().cost()),
                    rows.stream().map(row -> row.violation().shadow()).toArray(Boolean[]::new),
                    texts(rows, row -> row.violation().endpoint()),
                    texts(rows, row -> row.violation().method()),
                    numbers(rows, row -> isLimitKnown(row) ? row.violation().limit() : null),
                    numbers(rows, row -> isLimitKnown(row) ? row.violation().used() : null),
                    texts(rows, row -> isLimitKnown(row) ? row.violation().window() : null));
        }

        /** Limiters of an earlier build do not report the limit. */
        private static boolean isLimitKnown(ViolationRow row) {
            return row.violation().limit() > 0 && !row.violation().window().isEmpty();
        }

        private static <R> String[] texts(List<R> rows, Function<R, @Nullable String> column) {
            return rows.stream().map(column).toArray(String[]::new);
        }

        private static <R> Long[] numbers(List<R> rows, Function<R, @Nullable Long> column) {
            return rows.stream().map(column).toArray(Long[]::new);
        }

        private static <R> OffsetDateTime[] times(List<R> rows, Function<R, Long> column) {
            return rows.stream().map(column).map(Timestamps::toDatabase).toArray(OffsetDateTime[]::new);
        }
    }
}
