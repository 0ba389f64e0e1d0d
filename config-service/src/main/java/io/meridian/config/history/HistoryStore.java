package io.meridian.config.history;

import io.meridian.config.metrics.HistoryMetrics;
import io.meridian.config.metrics.HistoryMetrics.Skipped;
import io.meridian.config.rulebook.Audit;
import io.meridian.config.store.Database;
import io.meridian.config.store.Session;
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
    private final PartitionUpkeep upkeep;
    private final HistoryMetrics metrics;

    HistoryStore(Database database, PartitionUpkeep upkeep, HistoryMetrics metrics) {
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
    boolean write(Batch batch, Map<TopicPartition, Long> from, Map<TopicPartition, Long> to) {
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
    private static int writeRows(Session session, Batch batch) {
        Set<LocalDate> usageDays = Partitions.days(session, HistoryTable.USAGE_HISTORY);
        List<Map.Entry<UsagePoint, UsageCount>> usage = batch.usage().entrySet().stream()
                .filter(row -> usageDays.contains(Micros.day(row.getKey().bucketMicros())))
                .toList();
        Set<LocalDate> violationDays = Partitions.days(session, HistoryTable.VIOLATION);
        List<ViolationRow> violations = batch.violations().stream()
                .filter(row -> violationDays.contains(Micros.day(row.violation().lastMicros())))
                .toList();
        HistoryRows.writeUsage(session, usage);
        HistoryRows.writeViolations(session, violations);
        Audit.writeOnce(session, batch.operations());
        return batch.usage().size() - usage.size() + batch.violations().size() - violations.size();
    }
}
