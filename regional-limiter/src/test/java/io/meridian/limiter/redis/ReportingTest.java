package io.meridian.limiter.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.meridian.limiter.TestKeys;
import io.meridian.limiter.redis.RedisIncarnations.StoredIncarnation;
import io.meridian.limiter.region.RegionAccounts.DueAccount;
import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.algorithm.Quota;
import io.meridian.model.algorithm.Window;
import io.meridian.model.counter.CounterRequest;
import io.meridian.model.counter.WindowAccount;
import io.meridian.model.counter.WindowAccount.WindowVerdict;
import io.meridian.model.match.Limit;
import io.meridian.model.policy.Coordination.AfterHeal;
import io.meridian.stack.servers.RedisServer.RedisRelease;
import io.meridian.testkit.TestAmounts;
import io.meridian.testkit.TestSeeds;
import io.meridian.testkit.servers.TestRedis;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the region used is reported, all of it, whoever dies in between. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReportingTest {
    private static final int HISTORIES = TestAmounts.of(10, 60);
    /** In which every altered script shows; fewer miss some of them. */
    private static final int KNOWN_HISTORIES = 60;

    private static final int STEPS = 80;
    private static final long NOW = 1_768_474_800_000_000L;
    private static final long MILLI = 1_000;
    private static final long CLAIM = 4_000 * MILLI;
    private static final StoredIncarnation LIFE = new StoredIncarnation(NOW - 1);
    private static final Quota TERMS = Quota.of(6_400, 0, Window.parse("1h"));
    private static final Limit LIMIT = SharedLimits.converge("p", Algorithm.FIXED_WINDOW, AfterHeal.FORGIVE, 1, TERMS);
    private static final Limit ESCROW = SharedLimits.escrow("e", 1, TERMS);
    private static final long START = TERMS.window().startMicros(NOW);

    private final TestRedis server = TestRedis.start(RedisRelease.BUNDLED);
    private final RedisTalk talk = RedisTalk.to(server.url());
    private VirtualRedis redis = new VirtualRedis(talk, LIFE, UnaryOperator.identity());

    @BeforeEach
    void anew() {
        redis = new VirtualRedis(talk, LIFE, UnaryOperator.identity());
        redis.at(NOW);
    }

    @AfterAll
    void close() {
        talk.close();
        server.close();
    }

    @Test
    void after_quiet_the_log_knows_exactly_what_was_used_and_nothing_is_left() {
        TestSeeds.forEachHistory(HISTORIES, play(UnaryOperator.identity()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "account.due, account.unreported = CLAIMED, 0 | account.due, account.unreported = CLEAN, 0",
                "if ours and account.unreported == 0 then   | if ours then",
                "tonumber(call('ZSCORE', dirty, member)) == claim | true",
                "call('ZADD', dirty, claimed, member)       | call('ZREM', dirty, member)",
                "markOf(open.prefix, their.start, request.text, account, 0, true) | account.due = account.due",
                "if changed > 0 or urgent then mark         | if urgent then mark",
                "call('PEXPIRE', dirty, string              | local _ = (string",
            })
    void an_altered_script_is_found_out(String from, String to) {
        String all = CounterScript.load(TestKeys.KEYS).text()
                + Script.load(List.of("collect", "reported", "verdict")).text();
        String said = ScriptConstants.expand(from);
        assertThat(all).contains(said);

        assertThatThrownBy(() -> TestSeeds.forEachKnownHistory(
                        KNOWN_HISTORIES, play(text -> text.replace(said, ScriptConstants.expand(to)))))
                .isInstanceOf(AssertionError.class);
    }

    private Consumer<SplittableRandom> play(UnaryOperator<String> altered) {
        return random -> {
            StoredIncarnation life = new StoredIncarnation(Draw.startMicros(random));
            ReportingWorld world = new ReportingWorld(random, new VirtualRedis(talk, life, altered), life);
            for (int i = 0; i < STEPS; i++) {
                world.step();
            }
            world.quiet();
        };
    }

    @Test
    void what_matters_is_due_at_once_and_what_hardly_does_a_heartbeat_later() {
        take(LIMIT, 1);
        assertThat(WindowAccount.matters(1, 6_399)).isFalse();
        assertThat(due()).isEmpty();
        redis.at(NOW + 999 * MILLI);
        assertThat(due()).isEmpty();
        redis.at(NOW + 1_000 * MILLI);
        assertThat(due()).hasSize(1);

        anew();
        take(LIMIT, 100);
        assertThat(WindowAccount.matters(100, 6_300)).isTrue();
        assertThat(due()).extracting(book -> book.count().taken()).containsExactly(100L);
    }

    @Test
    void many_small_changes_that_matter_together_are_due_at_once() {
        long taken = 0;
        while (!WindowAccount.matters(taken, 6_400 - taken)) {
            assertThat(due()).isEmpty();
            take(LIMIT, 1);
            taken++;
        }
        assertThat(due()).extracting(book -> book.count().taken()).containsExactly(taken);
    }

    @Test
    void a_change_between_collecting_and_acknowledging_is_due_again() {
        take(LIMIT, 100);
        List<DueAccount> first = due();
        take(LIMIT, 1);
        assertThat(due()).as("it is claimed").isEmpty();

        redis.reported(first);

        assertThat(due()).extracting(book -> book.count().taken()).containsExactly(101L);
    }

    @Test
    void a_book_whose_reporter_died_is_due_again_when_its_claim_ends() {
        take(LIMIT, 100);
        assertThat(due()).hasSize(1);
        redis.at(NOW + CLAIM - MILLI);
        assertThat(due()).isEmpty();
        redis.at(NOW + CLAIM);
        assertThat(due()).extracting(book -> book.count().taken()).containsExactly(100L);
    }

    @Test
    void nothing_waits_longer_than_a_claim_though_the_clock_was_set_back() {
        long ahead = NOW + 600_000 * MILLI;
        redis.at(ahead);
        take(LIMIT, 100);
        redis.at(ahead - CLAIM);
        assertThat(due()).as("it may be another's claim").isEmpty();

        redis.at(ahead - CLAIM - MILLI);
        assertThat(due()).extracting(book -> book.count().taken()).containsExactly(100L);
        redis.at(NOW);
        assertThat(due()).as("who took it may never report it").hasSize(1);
        assertThat(due()).isEmpty();
    }

    @Test
    void what_a_life_that_is_over_has_left_is_reported_as_its_own() {
        take(LIMIT, 100);
        StoredIncarnation next = new StoredIncarnation(LIFE.number() + 1);
        redis.begin(next);
        take(LIMIT, 101);

        List<DueAccount> due = due();

        assertThat(due)
                .extracting(DueAccount::incarnation, book -> book.count().taken())
                .containsExactlyInAnyOrder(tuple(LIFE.number(), 100L), tuple(next.number(), 101L));
        redis.reported(due);
        redis.at(NOW + 2 * CLAIM);
        assertThat(due()).isEmpty();
    }

    @Test
    void a_late_acknowledgement_does_not_speak_for_one_who_took_the_book_since() {
        take(LIMIT, 100);
        List<DueAccount> late = due();
        take(LIMIT, 50);
        redis.at(NOW + CLAIM);
        assertThat(due()).extracting(book -> book.count().taken()).containsExactly(150L);

        redis.reported(late);

        redis.at(NOW + 2 * CLAIM);
        assertThat(due()).as("the other died").hasSize(1);
    }

    @Test
    void an_acknowledged_book_is_clean_and_outlives_its_window_by_the_shorter_time() {
        take(LIMIT, 100);
        redis.reported(due());
        redis.at(NOW + 3 * CLAIM);
        assertThat(due()).isEmpty();

        long end = TERMS.window().endMicros(START);
        redis.at(end + 599_000 * MILLI);
        assertThat(redis.book(LIMIT, START)).isPresent();
        redis.at(end + 601_000 * MILLI);
        assertThat(redis.book(LIMIT, START)).isEmpty();
    }

    @Test
    void what_kafka_never_acknowledges_stays_due_for_a_day() {
        take(LIMIT, 100);
        redis.at(NOW + 24 * 3_600_000 * MILLI);

        assertThat(due()).extracting(book -> book.count().taken()).containsExactly(100L);
    }

    @Test
    void a_refusal_while_its_book_is_being_reported_is_reported_too() {
        take(ESCROW, 5);
        List<DueAccount> first = due();
        assertThat(first).extracting(DueAccount::refusedCost).containsExactly(5L);
        take(ESCROW, 9);

        redis.reported(first);

        assertThat(due()).extracting(DueAccount::refusedCost).containsExactly(14L);
    }

    @Test
    void what_is_called_back_is_reported_under_the_limit_that_the_leader_knows() {
        redis.hear(List.of(SharedLimits.record(
                ESCROW, START, LIFE, new WindowVerdict(1, 1, 0, false, 1, 250, 40, Long.MAX_VALUE))));
        assertThat(due()).isEmpty();

        redis.hear(
                List.of(SharedLimits.record(ESCROW, START, LIFE, new WindowVerdict(1, 2, 0, false, 1, 250, 40, 15))));

        List<DueAccount> due = due();
        assertThat(due).extracting(DueAccount::grantReturned).containsExactly(25L);
        assertThat(due).extracting(DueAccount::ownLimit).containsExactly(250L);
    }

    @Test
    void a_verdict_on_an_ended_window_begins_no_book_and_marks_none_dirty() {
        redis.at(TERMS.window().endMicros(START));

        redis.hear(List.of(SharedLimits.record(ESCROW, START, LIFE, new WindowVerdict(1, 1, 9, true, 1, 10, 40, 0))));

        assertThat(redis.keys()).hasSize(1);
    }

    @Test
    void a_shard_with_too_many_dirty_books_lets_the_next_change_mark_what_it_leaves_out() {
        redis = new VirtualRedis(talk, LIFE, text -> text.replace("DIRTY_MAX = 100000", "DIRTY_MAX = 1"));
        redis.at(NOW);
        take(LIMIT, 100);
        Limit crowded = sameShard();
        take(crowded, 100);
        List<DueAccount> first = due();
        assertThat(first).hasSize(1);
        redis.reported(first);

        take(crowded, 1);

        assertThat(redis.due(List.of(TestKeys.KEYS.shard(crowded)), 10))
                .extracting(book -> book.count().taken())
                .containsExactly(101L);
    }

    private static Limit sameShard() {
        for (int i = 0; ; i++) {
            Limit other = SharedLimits.converge("q" + i, Algorithm.FIXED_WINDOW, AfterHeal.FORGIVE, 1, TERMS);
            if (TestKeys.KEYS.shard(other).equals(TestKeys.KEYS.shard(LIMIT))) {
                return other;
            }
        }
    }

    private void take(Limit limit, long cost) {
        redis.ask(List.of(new CounterRequest.Take(limit, cost, 0, 0)));
    }

    private List<DueAccount> due() {
        return redis.due(List.of(TestKeys.KEYS.shard(LIMIT), TestKeys.KEYS.shard(ESCROW)), 10);
    }
}
