package io.meridian.limiter.redis;

import io.meridian.limiter.decide.RegionCounters.Reply;
import io.meridian.model.algorithm.Outcome.Standing;
import io.meridian.model.counter.CounterReply;
import io.meridian.model.counter.CounterRequest;
import io.meridian.model.match.Limit;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * A group with limits in escrow, asked in a Redis Cluster. There nothing is granted: a node that lost its data, or was replaced by an older
 * copy, is not noticed, and would spend again what was granted. So these asks are refused without being sent, and where one of them binds the
 * others of the group only ask what they would get.
 */
final class EscrowlessGroup {
    /** When it is worth asking again: the policy, or the Redis, may be another by then. */
    private static final long AGAIN_MICROS = 1_000_000;

    private final List<CounterRequest> group;

    EscrowlessGroup(List<CounterRequest> group) {
        this.group = group;
    }

    static boolean isNeeded(List<CounterRequest> group) {
        return group.stream().anyMatch(EscrowlessGroup::isEscrow);
    }

    /** @param region answers the asks for other limits, of which there is at least one */
    CompletionStage<Reply> ask(Function<List<CounterRequest>, CompletionStage<Reply>> region, long nowMicros) {
        boolean refused = group.stream()
                .anyMatch(ask -> ask instanceof CounterRequest.Take
                        && isEscrow(ask)
                        && !ask.limit().policy().enforcement().isShadow());
        List<CounterRequest> others = group.stream()
                .filter(ask -> !isEscrow(ask))
                .map(ask -> refused && ask instanceof CounterRequest.Take take ? new CounterRequest.Peek(take.limit(), take.cost()) : ask)
                .toList();
        return others.isEmpty()
                ? CompletableFuture.completedFuture(joined(List.of(), nowMicros))
                : region.apply(others).thenApply(reply -> joined(reply.told(), reply.nowMicros()));
    }

    private Reply joined(List<CounterReply> others, long nowMicros) {
        Iterator<CounterReply> next = others.iterator();
        List<CounterReply> told = new ArrayList<>(group.size());
        for (CounterRequest ask : group) {
            told.add(isEscrow(ask) ? refusal(ask.limit(), nowMicros) : next.next());
        }
        return new Reply(told, nowMicros);
    }

    private static CounterReply refusal(Limit limit, long nowMicros) {
        Standing nothing = new Standing(limit.quota().capacity(), 0, nowMicros + AGAIN_MICROS);
        return new CounterReply(false, nothing, AGAIN_MICROS, 0, 0);
    }

    private static boolean isEscrow(CounterRequest ask) {
        return ask.limit().policy().coordination().isEscrow();
    }
}
