package io.meridian.config.history;

import io.meridian.config.store.Session;
import io.vertx.mutiny.sqlclient.Row;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/** How far each Kafka partition was read, as PostgreSQL has it. */
final class Positions {
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
