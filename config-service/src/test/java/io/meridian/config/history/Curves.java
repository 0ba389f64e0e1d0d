package io.meridian.config.history;

import io.meridian.config.database.Database;
import io.meridian.config.database.Timestamps;
import io.meridian.model.wire.UsageRecord;
import io.vertx.mutiny.sqlclient.Row;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Curves of usage, to be compared: the highest counts of each series and minute. */
final class Curves {
    private Curves() {}

    /** What regions told. */
    static Map<String, List<Long>> of(List<UsageRecord> records) {
        Map<String, List<Long>> curve = new TreeMap<>();
        for (UsageRecord record : records) {
            String point = record.limit().key() + " " + record.incarnation().region() + " "
                    + record.incarnation().number() + " "
                    + Timestamps.toDatabase(Timestamps.minute(record.sentMicros()));
            curve.merge(
                    point,
                    List.of(record.count().taken(), record.count().returned()),
                    (one, other) -> List.of(Math.max(one.get(0), other.get(0)), Math.max(one.get(1), other.get(1))));
        }
        return curve;
    }

    /** What is on record. */
    static Map<String, List<Long>> stored(Database database, String policy) {
        Map<String, List<Long>> curve = new TreeMap<>();
        for (Row row : database.read(session -> session.run(
                "SELECT key, region, incarnation, bucket, taken, returned FROM usage_history WHERE policy = $1",
                policy))) {
            String point = row.getString(0) + " " + row.getString(1) + " " + row.getLong(2) + " "
                    + Timestamps.toDatabase(Timestamps.toMicros(row.getOffsetDateTime(3)));
            curve.put(point, List.of(row.getLong(4), row.getLong(5)));
        }
        return curve;
    }
}
