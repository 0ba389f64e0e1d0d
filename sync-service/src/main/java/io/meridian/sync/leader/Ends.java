package io.meridian.sync.leader;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** A question where the topics of some partitions end, counting what is not committed too. */
record Ends(Set<Integer> partitions, CompletableFuture<Map<Integer, End>> answer) {
    /** Where both topics of a partition end. */
    record End(long usage, long verdicts) {}

    /** The port to who knows. */
    interface Asked {
        CompletableFuture<Map<Integer, End>> of(Set<Integer> partitions);
    }

    boolean isAnswered() {
        return answer.isDone() && !answer.isCompletedExceptionally();
    }

    boolean hasFailed() {
        return answer.isCompletedExceptionally();
    }

    /** Once it is answered. */
    End of(int partition) {
        End end = answer.getNow(Map.of()).get(partition);
        if (end == null) {
            throw new IllegalStateException("Kafka did not say where it ends: partition " + partition);
        }
        return end;
    }
}
