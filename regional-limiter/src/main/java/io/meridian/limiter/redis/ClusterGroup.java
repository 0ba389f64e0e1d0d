package io.meridian.limiter.redis;

import io.meridian.limiter.lease.LateReplies;
import io.meridian.limiter.region.RegionCounters.Reply;
import io.meridian.model.algorithm.Outcome.Standing;
import io.meridian.model.counter.CounterReply;
import io.meridian.model.counter.CounterRequest;
import io.meridian.model.match.Limit;
import io.meridian.model.match.LimitKeys;
import io.meridian.model.match.Shard;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Requests of one check whose counters are in several slots of a Redis Cluster, where no script sees all of them. First it only
 * asks what each would say: a refusal ends it there and has touched nothing. Then it takes, and only if another instance was faster
 * in between, gives back what the others took.
 */
final class ClusterGroup {
    private final List<CounterRequest> group;
    private final Slot slot;
    /** The places of the requests of each shard. */
    private final Map<Shard, List<Integer>> places = new LinkedHashMap<>();

    /** Counters of one slot. */
    interface Slot {
        CompletionStage<Reply> ask(List<CounterRequest> group);
    }

    ClusterGroup(List<CounterRequest> group, LimitKeys keys, Slot slot) {
        this.group = group;
        this.slot = slot;
        for (int i = 0; i < group.size(); i++) {
            places.computeIfAbsent(keys.shard(group.get(i).limit()), absent -> new ArrayList<>())
                    .add(i);
        }
    }

    static boolean isScattered(List<CounterRequest> group, LimitKeys keys) {
        if (group.size() < 2) {
            return false;
        }
        Shard first = keys.shard(group.get(0).limit());
        return group.stream().anyMatch(ask -> !keys.shard(ask.limit()).equals(first));
    }

    CompletionStage<Reply> ask() {
        List<CounterRequest> peeks = group.stream().map(ClusterGroup::peek).toList();
        return askAll(peeks)
                .thenCompose(peeked -> refused(peeked)
                        ? CompletableFuture.completedFuture(peeked)
                        : askAll(group).thenApply(reply -> {
                            if (refused(reply)) {
                                giveBack(reply);
                            }
                            return reply;
                        }));
    }

    private static CounterRequest peek(CounterRequest ask) {
        return ask instanceof CounterRequest.Take take ? new CounterRequest.Peek(take.limit(), take.cost()) : ask;
    }

    private boolean refused(Reply reply) {
        for (int i = 0; i < group.size(); i++) {
            boolean binds = !group.get(i).limit().policy().enforcement().isShadow();
            if (binds
                    && group.get(i) instanceof CounterRequest.Take
                    && !reply.told().get(i).admitted()) {
                return true;
            }
        }
        return false;
    }

    /** Refunds the units taken in slots without a refusal. In the other slots nothing was taken. */
    private void giveBack(Reply reply) {
        for (List<Integer> shard : places.values()) {
            Reply part = new Reply(shard.stream().map(reply.told()::get).toList(), reply.nowMicros());
            LateReplies.taken(shard.stream().map(group::get).toList(), part).forEach(slot::ask);
        }
    }

    private CompletionStage<Reply> askAll(List<CounterRequest> asks) {
        List<CompletableFuture<Reply>> parts = new ArrayList<>();
        for (List<Integer> shard : places.values()) {
            parts.add(slot.ask(shard.stream().map(asks::get).toList()).toCompletableFuture());
        }
        return CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new)).thenApply(done -> joined(parts));
    }

    private Reply joined(List<CompletableFuture<Reply>> parts) {
        CounterReply[] told = new CounterReply[group.size()];
        long nowMicros = 0;
        int part = 0;
        for (List<Integer> shard : places.values()) {
            Reply reply = parts.get(part++).join();
            nowMicros = Math.max(nowMicros, reply.nowMicros());
            for (int i = 0; i < shard.size(); i++) {
                told[shard.get(i)] = reply.told().get(i);
            }
        }
        return new Reply(List.of(told), nowMicros);
    }

    /**
     * Requests of one check of which some are for limits in escrow, in a Redis Cluster. There nothing is granted: a node that lost
     * its data, or was replaced by an older copy, is not noticed, and would spend again what was granted. So these requests are refused
     * without being sent, and where one of them binds the others of the group only ask what they would get.
     */
    static final class EscrowlessGroup {
        /** When it is worth asking again: the policy, or the Redis, may be another by then. */
        private static final long AGAIN_MICROS = 1_000_000;

        private final List<CounterRequest> group;

        EscrowlessGroup(List<CounterRequest> group) {
            this.group = group;
        }

        static boolean isNeeded(List<CounterRequest> group) {
            return group.stream().anyMatch(EscrowlessGroup::isEscrow);
        }

        /** @param region answers the requests for other limits, of which there is at least one */
        CompletionStage<Reply> ask(Function<List<CounterRequest>, CompletionStage<Reply>> region, long nowMicros) {
            boolean refused = group.stream()
                    .anyMatch(ask -> ask instanceof CounterRequest.Take
                            && isEscrow(ask)
                            && !ask.limit().policy().enforcement().isShadow());
            List<CounterRequest> others = group.stream()
                    .filter(ask -> !isEscrow(ask))
                    .map(ask -> refused && ask instanceof CounterRequest.Take take
                            ? new CounterRequest.Peek(take.limit(), take.cost())
                            : ask)
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
}
