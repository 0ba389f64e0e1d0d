package io.meridian.sync.lead;

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

/** A question where the topics of some partitions end, counting what is not committed too. */
record Ends(
        Set<Integer> partitions,
        TopicPair topics,
        CompletableFuture<Map<TopicPartition, ListOffsetsResultInfo>> answer) {
    static Ends ask(Admin admin, TopicPair topics, Set<Integer> partitions) {
        Map<TopicPartition, OffsetSpec> which = partitions.stream()
                .flatMap(each -> Stream.of(topics.usage(each), topics.verdicts(each)))
                .collect(Collectors.toMap(Function.identity(), each -> OffsetSpec.latest()));
        var answer = admin.listOffsets(which, new ListOffsetsOptions(IsolationLevel.READ_UNCOMMITTED))
                .all()
                .toCompletionStage()
                .toCompletableFuture();
        return new Ends(partitions, topics, answer);
    }

    boolean isAnswered() {
        return answer.isDone() && !answer.isCompletedExceptionally();
    }

    boolean hasFailed() {
        return answer.isCompletedExceptionally();
    }

    /** Once it is answered. */
    long usage(int partition) {
        return of(topics.usage(partition));
    }

    long verdicts(int partition) {
        return of(topics.verdicts(partition));
    }

    private long of(TopicPartition partition) {
        ListOffsetsResultInfo end = answer.getNow(Map.of()).get(partition);
        if (end == null) {
            throw new IllegalStateException("Kafka did not say where it ends: " + partition);
        }
        return end.offset();
    }
}
