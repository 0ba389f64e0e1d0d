package io.meridian.sync.leader;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;

/** Asks Kafka where topics end. */
record KafkaEnds(Admin admin, TopicPair topics) implements Ends.Asked {
    @Override
    public CompletableFuture<Map<Integer, Ends.End>> of(Set<Integer> partitions) {
        Map<TopicPartition, OffsetSpec> which = partitions.stream()
                .flatMap(each -> Stream.of(topics.usage(each), topics.verdicts(each)))
                .collect(Collectors.toMap(Function.identity(), each -> OffsetSpec.latest()));
        return admin.listOffsets(which, new ListOffsetsOptions(IsolationLevel.READ_UNCOMMITTED))
                .all()
                .toCompletionStage()
                .toCompletableFuture()
                .thenApply(found ->
                        partitions.stream().collect(Collectors.toMap(Function.identity(), each -> end(found, each))));
    }

    private Ends.End end(Map<TopicPartition, ListOffsetsResultInfo> found, int partition) {
        return new Ends.End(offset(found, topics.usage(partition)), offset(found, topics.verdicts(partition)));
    }

    private static long offset(Map<TopicPartition, ListOffsetsResultInfo> found, TopicPartition partition) {
        ListOffsetsResultInfo end = found.get(partition);
        if (end == null) {
            throw new IllegalStateException("Kafka did not say where it ends: " + partition);
        }
        return end.offset();
    }
}
