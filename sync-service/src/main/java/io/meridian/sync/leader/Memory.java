package io.meridian.sync.leader;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;

/** All that a replica has read, and how far: new clients of Kafka go on from here. */
final class Memory {
    private final List<Partition> partitions;
    private final Map<TopicPartition, Long> positions = new HashMap<>();

    Memory(int partitions, Supplier<Book> books) {
        this.partitions = IntStream.range(0, partitions)
                .mapToObj(number -> new Partition(number, books.get()))
                .toList();
    }

    List<Partition> partitions() {
        return partitions;
    }

    Partition partition(int number) {
        return partitions.get(number);
    }

    /** The next offset to read, 0 before anything was. */
    long position(TopicPartition partition) {
        return positions.getOrDefault(partition, 0L);
    }

    void position(TopicPartition partition, long next) {
        positions.put(partition, next);
    }
}
