package io.meridian.sync.leader;

import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;

/** Usage in, verdicts out: both topics have the same partitions. */
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
