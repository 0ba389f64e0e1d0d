package io.meridian.limiter.redis;

import io.meridian.model.counter.CounterRequest;
import io.meridian.model.match.LimitKeys;
import io.vertx.redis.client.RedisClientType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** How the groups of a turn become script calls: as few as possible, none too long, and in a cluster one per shard. */
final class Calls {
    private Calls() {}

    static <T> List<List<T>> split(List<T> turn, Function<T, List<CounterRequest>> group, RedisConfig config, LimitKeys keys) {
        List<List<T>> calls = new ArrayList<>();
        for (List<T> part : byNode(turn, group, config, keys)) {
            int asks = 0;
            int from = 0;
            for (int i = 0; i < part.size(); i++) {
                int more = group.apply(part.get(i)).size();
                if (asks + more > config.asksPerCall() && i > from) {
                    calls.add(part.subList(from, i));
                    from = i;
                    asks = 0;
                }
                asks += more;
            }
            calls.add(part.subList(from, part.size()));
        }
        return calls;
    }

    private static <T> Collection<List<T>> byNode(
            List<T> turn, Function<T, List<CounterRequest>> group, RedisConfig config, LimitKeys keys) {
        if (config.mode() != RedisClientType.CLUSTER) {
            return List.of(turn);
        }
        Map<Integer, List<T>> byShard = new LinkedHashMap<>();
        for (T each : turn) {
            int shard = keys.shard(group.apply(each).get(0).limit()).number();
            byShard.computeIfAbsent(shard, absent -> new ArrayList<>()).add(each);
        }
        return byShard.values();
    }
}
