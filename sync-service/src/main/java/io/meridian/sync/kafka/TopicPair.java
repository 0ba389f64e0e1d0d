package io.meridian.sync.kafka;

import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;

/** Topics of usage and of verdicts, with the same number of partitions. */
record TopicPair(String usage, String verdicts, int partitions) {
    TopicPartition usage(int partition) {
        return new TopicPartition(usage, partition);
    }

    TopicPartition verdicts(int partition) {
        return new TopicPartition(verdicts, partition);
    }

    Stream<TopicPartition> all() {
        return IntStream.range(0, partitions).boxed().flatMap(each -> Stream.of(usage(each), verdicts(each)));
    }
}
