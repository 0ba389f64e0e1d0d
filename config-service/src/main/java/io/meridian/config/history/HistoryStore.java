package io.meridian.config.history;

import io.meridian.config.history.HistoryBatch.ViolationRow;
import io.meridian.config.history.HistoryBatch.UsagePoint;
import io.meridian.config.history.DailyPartitions.Partitions;
import io.meridian.config.history.DailyPartitions.Table;
import java.util.HashMap;
import io.vertx.mutiny.sqlclient.Row;
import io.meridian.config.ops.HistoryMetrics;
import io.meridian.config.ops.HistoryMetrics.Skipped;
import io.meridian.config.audit.AuditTrail;
import io.meridian.config.database.Database;
import io.meridian.config.database.Session;
import io.meridian.model.usage.UsageCount;
import jakarta.inject.Singleton;
import java.time.LocalDate;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;

/** Takes batches in: rows and the position after them in one transaction, so that each record counts once. */
@Singleton
class HistoryStore {
    private final Database database;
    private final DailyPartitions upkeep;
    private final HistoryMetrics metrics;

    HistoryStore(Database database, DailyPartitions upkeep, HistoryMetrics metrics) {
        this.database = database;
        this.upkeep = upkeep;
        this.metrics = metrics;
    }

    /** Where to go on, with partitions to write to. */
    Map<TopicPartition, Long> positions(Collection<TopicPartition> partitions) {
        upkeep.ensureToday();
        return database.transaction(session -> Positions.load(session, partitions));
    }

    /** Whether the batch is in; not if another reader has moved on from where this one stood. */
    boolean write(HistoryBatch batch, Map<TopicPartition, Long> from, Map<TopicPartition, Long> to) {
        upkeep.ensureToday();
        int late = database.transaction(session -> Positions.move(session, from, to) ? writeRows(session, batch) : -1);
        if (late < 0) {
            metrics.lostTurn();
            return false;
        }
        metrics.batch(batch.records());
        batch.skipped().forEach(metrics::skipped);
        metrics.skipped(Skipped.OUT_OF_TIME, late);
        return true;
    }

    /** Writes what there are partitions for. */
    private static int writeRows(Session session, HistoryBatch batch) {
        Set<LocalDate> usageDays = Partitions.days(session, Table.USAGE_HISTORY);
        List<Map.Entry<UsagePoint, UsageCount>> usage = batch.usage().entrySet().stream()
                .filter(row -> usageDays.contains(Micros.day(row.getKey().bucketMicros())))
                .toList();
        Set<LocalDate> violationDays = Partitions.days(session, Table.VIOLATION);
        List<ViolationRow> violations = batch.violations().stream()
                .filter(row -> violationDays.contains(Micros.day(row.violation().lastMicros())))
                .toList();
        HistoryRows.writeUsage(session, usage);
        HistoryRows.writeViolations(session, violations);
        AuditTrail.writeOnce(session, batch.operations());
        return batch.usage().size() - usage.size() + batch.violations().size() - violations.size();
    }

    /** How far each Kafka partition was read, as PostgreSQL has it. */
    static final class Positions {
        private static final String BEGIN = "INSERT INTO intake_position (topic, partition, next_offset)"
                + " SELECT topic, partition, 0 FROM unnest($1::text[], $2::integer[]) AS begun (topic, partition)"
                + " ON CONFLICT DO NOTHING";
        private static final String READ =
                "SELECT topic, partition, next_offset FROM intake_position WHERE topic = ANY ($1)";
        /** In one order, so that two who lock never wait for each other. */
        private static final String LOCK = READ + " ORDER BY topic, partition FOR UPDATE";

        private static final String MOVE = "UPDATE intake_position SET next_offset = moved.next_offset"
                + " FROM unnest($1::text[], $2::integer[], $3::bigint[]) AS moved (topic, partition, next_offset)"
                + " WHERE intake_position.topic = moved.topic AND intake_position.partition = moved.partition";

        private Positions() {}

        /** The positions of these partitions; one that was never read is at the beginning. */
        static Map<TopicPartition, Long> load(Session session, Collection<TopicPartition> partitions) {
            session.run(BEGIN, topics(partitions), numbers(partitions));
            Map<TopicPartition, Long> all = read(session, READ, partitions);
            all.keySet().retainAll(partitions);
            return all;
        }

        /** Moves on from where the reader stood, unless another has; holds off any other until the transaction ends. */
        static boolean move(Session session, Map<TopicPartition, Long> from, Map<TopicPartition, Long> to) {
            Map<TopicPartition, Long> stored = read(session, LOCK, from.keySet());
            if (!stored.entrySet().containsAll(from.entrySet())) {
                return false;
            }
            session.run(MOVE, topics(to.keySet()), numbers(to.keySet()), to.values().toArray(Long[]::new));
            return true;
        }

        private static Map<TopicPartition, Long> read(Session session, String sql, Collection<TopicPartition> partitions) {
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
}
