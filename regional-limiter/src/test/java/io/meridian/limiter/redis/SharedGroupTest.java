package io.meridian.limiter.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.limiter.redis.RedisIncarnations.StoredIncarnation;
import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.algorithm.Quota;
import io.meridian.model.algorithm.Window;
import io.meridian.model.counter.CounterReply;
import io.meridian.model.counter.CounterRequest;
import io.meridian.model.counter.WindowAccount;
import io.meridian.model.counter.WindowAccount.WindowVerdict;
import io.meridian.model.match.Limit;
import io.meridian.model.policy.Coordination.AfterHeal;
import io.meridian.stack.servers.RedisServer.RedisRelease;
import io.meridian.testkit.servers.TestRedis;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Groups of a limit of the region's own and one that regions share: all or nothing. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SharedGroupTest {
    private static final long NOW = 1_768_474_800_000_000L;
    private static final Quota TERMS = Quota.of(10, 0, Window.parse("1h"));
    private static final StoredIncarnation LIFE = new StoredIncarnation(NOW - 1_000_000);
    private static final long START = TERMS.window().startMicros(NOW);
    private static final Limit REGIONAL = World.limit("own", Algorithm.FIXED_WINDOW, false, "k", TERMS);
    private static final Limit CONVERGE =
            SharedLimits.converge("converge", Algorithm.FIXED_WINDOW, AfterHeal.FORGIVE, 1, TERMS);
    private static final Limit RATE =
            SharedLimits.converge("rate", Algorithm.SLIDING_WINDOW_LOG, AfterHeal.FORGIVE, 1, TERMS);
    private static final Limit ESCROW = SharedLimits.escrow("escrow", 1, TERMS);

    private final TestRedis server = TestRedis.start(RedisRelease.BUNDLED);
    private final RedisTalk talk = RedisTalk.to(server.url());
    private VirtualRedis redis = new VirtualRedis(talk, LIFE, UnaryOperator.identity());

    @BeforeEach
    void anew() {
        redis = new VirtualRedis(talk, LIFE, UnaryOperator.identity());
        redis.at(NOW);
        redis.hear(List.of(
                SharedLimits.record(ESCROW, START, LIFE, new WindowVerdict(1, 1, 0, false, 1, 10, 6, Long.MAX_VALUE))));
    }

    @AfterAll
    void close() {
        talk.close();
        server.close();
    }

    @Test
    void a_refusal_by_the_regions_own_limit_leaves_shared_ones_untouched() {
        List<CounterReply> told =
                redis.ask(List.of(take(CONVERGE, 1), take(RATE, 1), take(ESCROW, 1), take(REGIONAL, 11)));

        assertThat(told).extracting(CounterReply::admitted).containsExactly(true, true, true, false);
        assertThat(redis.book(CONVERGE, START)).isEmpty();
        assertThat(redis.book(RATE, START)).isEmpty();
        assertThat(redis.book(ESCROW, START)).map(WindowAccount::taken).contains(0L);
        assertThat(standing(REGIONAL)).isEqualTo(10);
        assertThat(standing(RATE)).isEqualTo(10);
    }

    @Test
    void a_refusal_by_any_shared_limit_leaves_all_the_others_untouched() {
        for (Limit full : List.of(CONVERGE, RATE, ESCROW)) {
            List<Limit> all = List.of(REGIONAL, CONVERGE, RATE, ESCROW);

            redis.ask(all.stream()
                    .<CounterRequest>map(each -> take(each, each.equals(full) ? 11 : 1))
                    .toList());

            for (Limit each : all) {
                assertThat(standing(each)).isEqualTo(each.equals(ESCROW) ? 6 : 10);
            }
        }
    }

    @Test
    void a_refusal_in_escrow_is_noted_as_demand_and_one_by_another_limit_alone_is_not() {
        redis.ask(List.of(take(REGIONAL, 1), take(ESCROW, 7)));
        assertThat(redis.book(ESCROW, START)).map(WindowAccount::refused).contains(7L);
        assertThat(redis.book(ESCROW, START)).map(WindowAccount::requested).contains(7L);

        redis.ask(List.of(take(REGIONAL, 11), take(ESCROW, 2)));
        assertThat(redis.book(ESCROW, START)).map(WindowAccount::refused).contains(7L);
        assertThat(redis.book(ESCROW, START)).map(WindowAccount::requested).contains(7L);

        redis.ask(List.of(take(REGIONAL, 11), take(ESCROW, 8)));
        assertThat(redis.book(ESCROW, START)).map(WindowAccount::requested).contains(15L);
    }

    @Test
    void an_admitted_group_takes_from_all() {
        List<CounterReply> told =
                redis.ask(List.of(take(REGIONAL, 2), take(CONVERGE, 2), take(RATE, 2), take(ESCROW, 2)));

        assertThat(told).allMatch(CounterReply::admitted);
        assertThat(told).extracting(each -> each.standing().remaining()).containsExactly(8L, 8L, 8L, 4L);
        assertThat(told)
                .extracting(CounterReply::globalUsage)
                .containsExactly(
                        null,
                        new CounterReply.GlobalUsage(2, 0, 0, 0),
                        new CounterReply.GlobalUsage(2, 0, 0, 0),
                        new CounterReply.GlobalUsage(2, 0, 0, 6));
    }

    @Test
    void without_a_second_look_a_refused_group_would_have_taken() {
        redis = new VirtualRedis(talk, LIFE, text -> text.replace("if admitted == 0 then return true end", ""));
        redis.at(NOW);

        redis.ask(List.of(take(CONVERGE, 1), take(REGIONAL, 11)));

        assertThat(redis.book(CONVERGE, START)).map(WindowAccount::taken).contains(1L);
    }

    private long standing(Limit limit) {
        return redis.ask(List.of(new CounterRequest.Peek(limit, 1)))
                .get(0)
                .standing()
                .remaining();
    }

    private static CounterRequest take(Limit limit, long cost) {
        return new CounterRequest.Take(limit, cost, 0, 0);
    }
}
