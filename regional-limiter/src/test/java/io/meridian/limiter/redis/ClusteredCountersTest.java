package io.meridian.limiter.redis;

import static io.meridian.testkit.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.limiter.TestKeys;
import io.meridian.limiter.redis.RedisIncarnations.StoredIncarnation;
import io.meridian.limiter.region.RegionAccounts;
import io.meridian.limiter.region.RegionCounters;
import io.meridian.model.algorithm.Quota;
import io.meridian.model.algorithm.Window;
import io.meridian.model.counter.CounterReply;
import io.meridian.model.counter.CounterRequest;
import io.meridian.model.counter.WindowAccount.WindowVerdict;
import io.meridian.model.match.Limit;
import io.meridian.stack.servers.RedisServer;
import io.meridian.stack.servers.RedisServer.RedisRelease;
import io.meridian.testkit.servers.RedisCluster;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The region's counters in a real Redis Cluster of three nodes, where no script sees all limits of a check. */
@QuarkusTest
@WithTestResource(ClusteredCountersTest.Cluster.class)
@Timeout(300)
class ClusteredCountersTest {
    public static final class Cluster implements QuarkusTestResourceLifecycleManager {
        private @Nullable RedisCluster cluster;

        @Override
        public Map<String, String> start() {
            RedisCluster started = RedisCluster.start(RedisRelease.BUNDLED);
            cluster = started;
            return Map.of(
                    "meridian.limiter.redis.hosts",
                    started.nodes().stream().map(RedisServer::url).collect(Collectors.joining(",")),
                    "meridian.limiter.redis.mode",
                    "cluster",
                    "meridian.limiter.redis.budget",
                    "60s");
        }

        @Override
        public void stop() {
            if (cluster != null) {
                cluster.close();
            }
        }
    }

    @Inject
    @SuppressWarnings("NullAway.Init") // by the container
    RegionCounters counters;

    @Inject
    @SuppressWarnings("NullAway.Init") // by the container
    RegionAccounts books;

    @Test
    void a_group_over_several_slots_is_all_or_nothing() {
        List<CounterRequest> group = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            group.add(take("wide-" + i, 1_000));
        }
        group.add(take("narrow", 3));
        assertThat(ClusterGroup.isScattered(group, TestKeys.KEYS)).isTrue();
        for (int i = 0; i < 3; i++) {
            assertThat(ask(group)).allMatch(CounterReply::admitted);
        }

        for (int i = 0; i < 20; i++) {
            assertThat(ask(group).get(8).admitted()).isFalse();
        }

        for (int i = 0; i < 8; i++) {
            assertThat(remaining("wide-" + i, 1_000)).isEqualTo(997);
        }
    }

    @Test
    void many_at_once_get_the_limit_and_leave_nothing_taken_elsewhere() throws Exception {
        List<CompletableFuture<RegionCounters.Reply>> replies = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            replies.add(counters.ask(List.of(take("shared", 1_000), take("scarce", 100)))
                    .toCompletableFuture());
        }
        long admitted = replies.stream()
                .map(CompletableFuture::join)
                .filter(reply -> reply.told().stream().allMatch(CounterReply::admitted))
                .count();

        assertThat(admitted).isLessThanOrEqualTo(100);
        // Who lost a race gave back what the other slot had taken.
        eventually("all of it is back")
                .until(() ->
                        remaining("shared", 1_000) == 1_000 - admitted && remaining("scarce", 100) == 100 - admitted);
    }

    /** A node that lost its data would be granted, and spend, the same once more. */
    @Test
    void nothing_in_escrow_is_spent_whatever_was_granted() throws Exception {
        Quota terms = Quota.of(100, 0, Window.parse("31d"));
        Limit escrow = SharedLimits.escrow("escrowed", 1, terms);
        long nowMicros = counters.ask(List.of(take("aside", 1_000)))
                .toCompletableFuture()
                .join()
                .nowMicros();
        WindowVerdict granting = new WindowVerdict(1, 1, 0, false, 1, 10, 50, Long.MAX_VALUE);
        books.apply(List.of(SharedLimits.record(
                        escrow, terms.window().startMicros(nowMicros), StoredIncarnation.OF_A_CLUSTER, granting)))
                .toCompletableFuture()
                .join();
        long before = remaining("aside", 1_000);

        List<CounterReply> told = ask(List.of(take("aside", 1_000), new CounterRequest.Take(escrow, 1, 0, 0)));

        assertThat(told.get(1).admitted()).isFalse();
        assertThat(remaining("aside", 1_000)).isEqualTo(before);
        assertThat(counters.holdsEscrow()).isFalse();
    }

    private List<CounterReply> ask(List<CounterRequest> group) {
        return counters.ask(group).toCompletableFuture().join().told();
    }

    private long remaining(String policy, long limit) {
        return ask(List.of(new CounterRequest.Peek(Limits.of(policy, limit), 1)))
                .get(0)
                .standing()
                .remaining();
    }

    private static CounterRequest.Take take(String policy, long limit) {
        return new CounterRequest.Take(Limits.of(policy, limit), 1, 0, 0);
    }
}
