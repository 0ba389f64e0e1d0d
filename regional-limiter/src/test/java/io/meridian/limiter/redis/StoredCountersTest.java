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
import io.meridian.testkit.TestAmounts;
import io.meridian.testkit.servers.TestRedis;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The script as it is, by the server's own clock: what it leaves alone, and that all it writes goes away by itself. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StoredCountersTest {
    /** So long that no window ends within a test. */
    private static final Quota TERMS = Quota.of(1_000, 0, Window.parse("31d"));

    private static final Quota SCARCE = Quota.of(50, 0, Window.parse("30d"));
    private static final Quota HOURLY = Quota.of(1_000, 0, Window.parse("1h"));

    private final TestRedis server = TestRedis.start(RedisRelease.BUNDLED);
    private final RedisTalk redis = RedisTalk.to(server.url());
    private final CounterScript script = CounterScript.load(TestKeys.KEYS);

    @BeforeEach
    void empty() {
        redis.ask(Request.cmd(Command.FLUSHALL));
        redis.ask(script.toLoad());
    }

    @AfterAll
    void close() {
        redis.close();
        server.close();
    }

    @ParameterizedTest
    @EnumSource
    void a_refused_group_leaves_every_counter_byte_for_byte_as_it_was(Algorithm algorithm) {
        Limit full = World.limit("full", algorithm, false, "k", TERMS);
        List<CounterRequest> group = new ArrayList<>();
        for (Algorithm other : Algorithm.values()) {
            group.add(new CounterRequest.Take(
                    World.limit("other-" + other.text(), other, false, "k", TERMS), 7, 20, 50_000));
        }
        group.add(new CounterRequest.Take(full, 600, 0, 0));
        assertThat(told(group)).allMatch(CounterReply::admitted);
        List<String> before = dump();

        List<CounterReply> refused = told(group);

        assertThat(refused).filteredOn(CounterReply::admitted).hasSize(7);
        assertThat(refused).allMatch(told -> told.ahead() == 0);
        assertThat(dump()).hasSize(8).isEqualTo(before);
    }

    @Test
    void a_shadow_limit_refuses_nobody_and_is_left_alone_where_it_does_not_fit() {
        Limit shadow = World.limit("shadow", Algorithm.FIXED_WINDOW, true, "k", TERMS);
        Limit binding = World.limit("binding", Algorithm.FIXED_WINDOW, false, "k", TERMS);

        List<CounterReply> told =
                told(List.of(new CounterRequest.Take(shadow, 1_001, 0, 0), new CounterRequest.Take(binding, 1, 0, 0)));

        assertThat(told).extracting(CounterReply::admitted).containsExactly(false, true);
        assertThat(dump()).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void every_key_expires(Algorithm algorithm) {
        List<List<CounterRequest>> groups = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            Limit limit = World.limit("p", algorithm, false, "k" + i % 7, i % 2 == 0 ? TERMS : SCARCE);
            groups.add(List.of(new CounterRequest.Take(limit, 1 + i % 3, 20, 50_000)));
            groups.add(List.of(new CounterRequest.Refund(limit, 1, 0)));
        }
        for (int i = 0; i < 60; i++) {
            redis.ask(script, groups);
        }
        assertThat(keys()).hasSizeGreaterThanOrEqualTo(7).allSatisfy(key -> assertThat(
                        redis.ask(Request.cmd(Command.PTTL).arg(key)).toLong())
                .isPositive());
    }

    @Test
    void a_log_of_many_entries_keeps_them_in_a_list() {
        Limit limit = World.limit("p", Algorithm.SLIDING_WINDOW_LOG, false, "k", TERMS);
        for (int i = 0; i < 200; i++) {
            assertThat(told(List.of(new CounterRequest.Take(limit, 1, 0, 0)))).allMatch(CounterReply::admitted);
        }
        byte[] list = CounterKey.listOf(CounterKey.of(TestKeys.KEYS, limit));
        assertThat(redis.ask(Request.cmd(Command.LLEN).arg(list)).toInteger()).isEqualTo(200);

        told(List.of(new CounterRequest.Reset(limit)));

        assertThat(keys()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void a_counter_takes_at_most_128_bytes_of_redis(Algorithm algorithm) {
        // Both fill the hash table of Redis, which grows by doubling, to three quarters.
        int counters = TestAmounts.of(25_000, 100_000);
        long before = usedMemory();
        List<List<CounterRequest>> groups = new ArrayList<>();
        for (int i = 0; i < counters; i++) {
            groups.add(List.of(
                    new CounterRequest.Take(World.limit("p", algorithm, false, "user_id=" + i, HOURLY), 1, 0, 0)));
            if (groups.size() == CounterScript.ASKS_MAX / 2) {
                redis.ask(script, groups);
                groups.clear();
            }
        }
        assertThat(redis.ask(Request.cmd(Command.DBSIZE)).toInteger()).isEqualTo(counters);
        double bytes = (usedMemory() - before) / (double) counters;
        System.out.printf("%s: %.1f bytes of Redis per counter%n", algorithm.text(), bytes);
        assertThat(bytes).isLessThanOrEqualTo(128);
    }

    private List<CounterReply> told(List<CounterRequest> group) {
        return redis.ask(script, List.of(group)).get(0).told();
    }

    /** All values in their serialized form with their keys; the expiry is not in it. */
    private List<String> dump() {
        return keys().stream()
                .map(key -> SetTime.name(key) + " "
                        + SetTime.name(
                                redis.ask(Request.cmd(Command.DUMP).arg(key)).toBytes()))
                .sorted()
                .toList();
    }

    private List<byte[]> keys() {
        Response keys = redis.ask(Request.cmd(Command.KEYS).arg("*"));
        return keys.stream().map(Response::toBytes).toList();
    }

    private long usedMemory() {
        return Long.parseLong(redis.info("memory", "used_memory"));
    }
}
