package io.meridian.limiter.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.limiter.TestKeys;
import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.algorithm.Quota;
import io.meridian.model.algorithm.Window;
import io.meridian.model.counter.CounterReply;
import io.meridian.model.counter.CounterRequest;
import io.meridian.model.match.Limit;
import io.meridian.stack.servers.RedisServer.RedisRelease;
import io.meridian.testkit.servers.RedisCluster;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.RedisClientType;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.Request;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** The script on a Redis Cluster of three nodes. */
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ClusterTest {
    private static final Quota TERMS = Quota.of(2, 0, Window.parse("1h"));

    private final RedisCluster cluster = RedisCluster.start(RedisRelease.BUNDLED);
    private final RedisTalk redis = new RedisTalk(options());
    private final CounterScript script = CounterScript.load(TestKeys.KEYS);

    private RedisOptions options() {
        RedisOptions options = new RedisOptions().setType(RedisClientType.CLUSTER);
        cluster.nodes().forEach(node -> options.addConnectionString(node.url()));
        return options;
    }

    @AfterAll
    void close() {
        redis.close();
        cluster.close();
    }

    @Test
    void all_limits_of_a_shard_are_asked_in_one_call_wherever_it_lives() {
        cluster.nodes().forEach(node -> {
            try (RedisTalk alone = RedisTalk.to(node.url())) {
                alone.ask(script.toLoad());
            }
        });
        Set<Integer> thirds = new HashSet<>();
        for (int i = 0; i < 60; i++) {
            Limit first = limit(Algorithm.SLIDING_WINDOW_LOG, "user_id=" + i);
            List<CounterRequest> group = Stream.of(first, limit(Algorithm.GCRA, first.key()))
                    .<CounterRequest>map(limit -> new CounterRequest.Take(limit, 1, 0, 0))
                    .toList();
            List<List<CounterRequest>> groups = List.of(group, group, group);

            assertThat(redis.ask(script, groups).stream().flatMap(reply -> reply.told().stream()))
                    .extracting(CounterReply::admitted)
                    .containsExactly(true, true, true, true, false, false);
            thirds.add(ClusterSlot.of(TestKeys.KEYS.shard(first)) * 3 / ClusterSlot.COUNT);
        }
        assertThat(thirds).containsExactlyInAnyOrder(0, 1, 2);
    }

    @Test
    void a_limit_has_the_slot_that_redis_says() {
        for (int i = 0; i < 60; i++) {
            Limit limit = limit(Algorithm.TOKEN_BUCKET, "user_id=" + i);
            byte[] key = CounterKey.of(TestKeys.KEYS, limit);
            for (byte[] each : List.of(key, CounterKey.listOf(key))) {
                assertThat(redis.ask(Request.cmd(Command.CLUSTER).arg("KEYSLOT").arg(each))
                                .toInteger())
                        .isEqualTo(ClusterSlot.of(TestKeys.KEYS.shard(limit)));
            }
        }
    }

    /** One policy id: the algorithm is not in the shard, so both limits share it. */
    private static Limit limit(Algorithm algorithm, String key) {
        return World.limit("p", algorithm, false, key, TERMS);
    }
}
