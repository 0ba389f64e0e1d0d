package io.meridian.limiter.redis;

import io.meridian.limiter.decide.Late;
import io.meridian.limiter.decide.RegionCounters.Reply;
import io.meridian.model.counter.CounterReply;
import io.meridian.model.counter.CounterRequest;
import io.meridian.model.match.LimitKeys;
import io.meridian.model.match.Shard;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A group whose counters are in several slots of a cluster, where no script sees all of them. First it only asks what each
 * would say: a refusal ends it there and has touched nothing. Then it takes, and only if another instance was faster in
 * between, gives back what the others took.
 */
final class ScatteredGroup {
    private final List<CounterRequest> group;
    private final Slot slot;
    /** The places of the asks of each shard. */
    private final Map<Shard, List<Integer>> places = new LinkedHashMap<>();

    /** What asks counters of one slot. */
    interface Slot {
        CompletionStage<Reply> ask(List<CounterRequest> group);
    }

    ScatteredGroup(List<CounterRequest> group, LimitKeys keys, Slot slot) {
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
        List<CounterRequest> peeks = group.stream().map(ScatteredGroup::peek).toList();
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

    /** What the slots without a refusal took; in the others a refusal has kept everything as it was. */
    private void giveBack(Reply reply) {
        for (List<Integer> shard : places.values()) {
            Reply part = new Reply(shard.stream().map(reply.told()::get).toList(), reply.nowMicros());
            Late.taken(shard.stream().map(group::get).toList(), part).forEach(slot::ask);
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
}
