package io.meridian.limiter.redis;

import static io.meridian.testkit.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.limiter.region.RegionCounters;
import io.meridian.limiter.region.RegionCounters.Reply;
import io.meridian.limiter.region.RegionUnavailable;
import io.meridian.model.counter.CounterReply;
import io.meridian.model.counter.CounterRequest;
import io.meridian.testkit.servers.RedisUnderTest;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.core.Vertx;
import io.vertx.core.impl.VertxInternal;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Asking a Redis that is well, and one that is not. */
@QuarkusTest
@WithTestResource(RedisUnderTestResource.class)
@Timeout(300)
class RedisCountersTest {
    private static final Pattern CALLS = Pattern.compile("cmdstat_evalsha:calls=(\\d+)");

    @Inject
    @SuppressWarnings("NullAway.Init") // by the container
    RegionCounters counters;

    @Inject
    @SuppressWarnings("NullAway.Init") // by the container
    RedisCounters redisCounters;

    @Inject
    @SuppressWarnings("NullAway.Init") // by the container
    RedisBreaker breaker;

    @Inject
    @SuppressWarnings("NullAway.Init") // by the container
    Vertx vertx;

    @SuppressWarnings("NullAway.Init") // by the resource
    RedisUnderTest redis;

    @BeforeEach
    void answers() throws Exception {
        eventually("Redis answers").until(() -> isAnswered(peek("warm-up")));
    }

    @Test
    void all_groups_of_one_turn_share_one_script_call() throws Exception {
        CompletableFuture<List<CompletableFuture<Reply>>> all = new CompletableFuture<>();
        long before = calls();

        vertx.getOrCreateContext().runOnContext(ignored -> {
            List<CompletableFuture<Reply>> replies = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                replies.add(counters.ask(List.of(take("turn-" + i, 1))).toCompletableFuture());
            }
            all.complete(replies);
        });
        all.join().forEach(CompletableFuture::join);

        assertThat(calls() - before).isEqualTo(1);
    }

    @Test
    void every_event_loop_is_warmed_up_on_a_lane_of_its_own() {
        Set<EventLoopLane> lanes = ConcurrentHashMap.newKeySet();
        Set<String> threads = ConcurrentHashMap.newKeySet();

        redisCounters
                .onEveryLane(lane -> {
                    lanes.add(lane);
                    threads.add(Thread.currentThread().getName());
                    return lane.ask(List.of(peek("warm")));
                })
                .forEach(CompletableFuture::join);

        assertThat(lanes)
                .hasSameSizeAs(((VertxInternal) vertx).getEventLoopGroup())
                .hasSameSizeAs(threads);
    }

    @Test
    void a_group_is_all_or_nothing() {
        CounterRequest.Take narrow = new CounterRequest.Take(Limits.of("narrow", 1), 1, 0, 0);
        CounterRequest.Take wide = new CounterRequest.Take(Limits.of("wide", 100), 1, 0, 0);
        assertThat(ask(List.of(narrow, wide))).allMatch(CounterReply::admitted);

        assertThat(ask(List.of(narrow, wide)))
                .extracting(CounterReply::admitted)
                .containsExactly(false, true);

        assertThat(remaining("wide", 100)).isEqualTo(99);
    }

    @Test
    void a_server_that_forgot_the_script_is_sent_its_text() {
        redis.flushScripts();

        assertThat(ask(List.of(take("flushed", 1)))).allMatch(CounterReply::admitted);
    }

    @Test
    void a_replica_is_not_asked_and_the_same_address_is_used_again_when_it_may_write() throws Exception {
        redis.makeReadOnly();
        eventually("READONLY is noticed").until(() -> !isAnswered(take("replica", 1)));

        redis.makeWritable();

        eventually("it answers again").until(() -> isAnswered(take("replica", 1)));
    }

    @Test
    void a_killed_server_fails_at_once_and_is_used_again_when_it_is_back() throws Exception {
        redis.kill();
        eventually("the kill is noticed").until(() -> !isAnswered(take("killed", 1)));

        redis.restart();

        eventually("it answers again").until(() -> isAnswered(take("killed", 1)));
    }

    @Test
    void a_breaker_that_opened_is_closed_for_everybody_once_the_server_is_back() throws Exception {
        redis.kill();
        eventually("the breaker opens").until(() -> !isAnswered(take("spared", 1)) && breaker.isOpen());
        assertThatThrownBy(() -> redisCounters
                        .send(Request.cmd(Command.PING))
                        .toCompletableFuture()
                        .join())
                .hasMessageContaining("Redis is not called");

        redis.restart();

        eventually("it answers again").until(() -> isAnswered(take("spared", 1)));
        assertThat(breaker.isOpen()).isFalse();
        assertThat(redisCounters
                        .send(Request.cmd(Command.PING))
                        .toCompletableFuture()
                        .join())
                .isPresent();
    }

    private boolean isAnswered(CounterRequest ask) {
        try {
            return !ask(List.of(ask)).isEmpty();
        } catch (CompletionException away) {
            assertThat(away).hasCauseInstanceOf(RegionUnavailable.class);
            return false;
        }
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

    private static CounterRequest.Take take(String policy, long cost) {
        return new CounterRequest.Take(Limits.of(policy, 1_000), cost, 0, 0);
    }

    private static CounterRequest.Peek peek(String policy) {
        return new CounterRequest.Peek(Limits.of(policy, 1_000), 1);
    }

    private long calls() {
        Matcher calls = CALLS.matcher(redis.ask("INFO", "commandstats"));
        return calls.find() ? Long.parseLong(calls.group(1)) : 0;
    }
}
