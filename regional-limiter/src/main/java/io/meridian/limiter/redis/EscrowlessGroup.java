package io.meridian.limiter.redis;

import io.meridian.limiter.region.RegionCounters.Reply;
import io.meridian.model.algorithm.Outcome.Standing;
import io.meridian.model.lease.Ask;
import io.meridian.model.lease.Told;
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

    private final List<Ask> group;

    EscrowlessGroup(List<Ask> group) {
        this.group = group;
    }

    static boolean isNeeded(List<Ask> group) {
        return group.stream().anyMatch(EscrowlessGroup::isEscrow);
    }

    /** @param region answers the asks for other limits, of which there is at least one */
    CompletionStage<Reply> ask(Function<List<Ask>, CompletionStage<Reply>> region, long nowMicros) {
        boolean refused = group.stream()
                .anyMatch(ask -> ask instanceof Ask.Take
                        && isEscrow(ask)
                        && !ask.limit().policy().enforcement().isShadow());
        List<Ask> others = group.stream()
                .filter(ask -> !isEscrow(ask))
                .map(ask -> refused && ask instanceof Ask.Take take ? new Ask.Peek(take.limit(), take.cost()) : ask)
                .toList();
        return others.isEmpty()
                ? CompletableFuture.completedFuture(joined(List.of(), nowMicros))
                : region.apply(others).thenApply(reply -> joined(reply.told(), reply.nowMicros()));
    }

    private Reply joined(List<Told> others, long nowMicros) {
        Iterator<Told> next = others.iterator();
        List<Told> told = new ArrayList<>(group.size());
        for (Ask ask : group) {
            told.add(isEscrow(ask) ? refusal(ask.limit(), nowMicros) : next.next());
        }
        return new Reply(told, nowMicros);
    }

    private static Told refusal(Limit limit, long nowMicros) {
        Standing nothing = new Standing(limit.terms().capacity(), 0, nowMicros + AGAIN_MICROS);
        return new Told(false, nothing, AGAIN_MICROS, 0, 0);
    }

    private static boolean isEscrow(Ask ask) {
        return ask.limit().policy().coordination().isEscrow();
    }
}
