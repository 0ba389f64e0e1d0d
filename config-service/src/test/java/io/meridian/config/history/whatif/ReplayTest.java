package io.meridian.config.history.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.config.history.whatif.RecordedDemand.Series;
import io.meridian.config.history.whatif.WhatIf.ClientResult;
import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.algorithm.CounterState;
import io.meridian.model.algorithm.Outcome;
import io.meridian.model.algorithm.Quota;
import io.meridian.model.algorithm.Window;
import io.meridian.model.policy.LimitSpec;
import io.meridian.testkit.TestAmounts;
import io.meridian.testkit.TestSeeds;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Recorded demand, run through the algorithms. */
class ReplayTest {
    private static final long MINUTE = TimeUnit.MINUTES.toMicros(1);
    private static final long START = 1_000_000 * MINUTE;

    @Test
    void a_fixed_window_denies_what_is_above_its_limit() {
        LimitSpec draft = counting(Algorithm.FIXED_WINDOW, 10, "1m", 1);

        assertThat(new Replay(draft, 1).run(List.of(demand("a", 15, 3, 11), demand("b", 10))))
                .containsExactly(new ClientResult("a", 29, 6), new ClientResult("b", 10, 0));
    }

    @Test
    void the_counters_of_one_key_in_several_regions_add_up() {
        LimitSpec draft = counting(Algorithm.FIXED_WINDOW, 10, "1m", 1);

        assertThat(new Replay(draft, 1).run(List.of(demand("a", 15), demand("a", 12))))
                .containsExactly(new ClientResult("a", 27, 7));
    }

    @Test
    void units_become_requests_by_the_cost_they_were_recorded_with() {
        LimitSpec draft = counting(Algorithm.FIXED_WINDOW, 10, "1m", 3);

        assertThat(new Replay(draft, 5).run(List.of(demand("a", 25)))).containsExactly(new ClientResult("a", 5, 2));
    }

    @Test
    void what_came_back_was_not_used_in_the_minutes_before() {
        assertThat(settled(10, 20, -25, 4)).containsExactly(5, 0, 0, 4);
        assertThat(settled(3, -5)).containsExactly(0, 0);
        assertThat(new Replay(counting(Algorithm.FIXED_WINDOW, 10, "1m", 1), 1).run(List.of(demand("a", 30, -20))))
                .containsExactly(new ClientResult("a", 10, 0));
    }

    @Test
    void a_minute_of_any_size_takes_bounded_work() {
        LimitSpec draft = counting(Algorithm.TOKEN_BUCKET, 100, "1m", 1);

        ClientResult client = new Replay(draft, 1)
                .run(List.of(demand("a", Long.MAX_VALUE, Long.MAX_VALUE)))
                .iterator()
                .next();

        assertThat(client.requests()).isEqualTo(2_000_000_000_000L);
        assertThat(client.requests() - client.denied()).isBetween(200L, 300L);
    }

    /** The other way to say the same: each request for itself. */
    @ParameterizedTest
    @EnumSource(Algorithm.class)
    void many_at_once_are_admitted_as_one_after_the_other_would_be(Algorithm algorithm) {
        TestSeeds.forEachHistory(TestAmounts.of(50, 500), random -> {
            LimitSpec draft = counting(algorithm, 1 + random.nextInt(200), random.nextInt(2) == 0 ? "1m" : "7m", 1);
            long[] units = random.longs(20, 0, 150).toArray();

            assertThat(new Replay(draft, 1).run(List.of(demand("a", units)))).containsExactly(oneByOne(draft, units));
        });
    }

    private static long[] settled(long... units) {
        Series settled = demand("a", units).settled();
        return IntStream.range(0, settled.length()).mapToLong(settled::units).toArray();
    }

    private static ClientResult oneByOne(LimitSpec draft, long[] units) {
        Quota terms = draft.quota();
        CounterState state = CounterState.UNTOUCHED;
        long requests = 0;
        long denied = 0;
        for (int minute = 0; minute < units.length; minute++) {
            for (long at : instants(units[minute])) {
                Outcome outcome = draft.algorithm().decide(state, terms, 1, START + minute * MINUTE + at);
                state = outcome.next();
                requests++;
                denied += outcome instanceof Outcome.Refused ? 1 : 0;
            }
        }
        return new ClientResult("a", requests, denied);
    }

    /** When each of so many requests comes within a minute. */
    private static List<Long> instants(long count) {
        long instants = Math.min(count, Replay.INSTANTS_MAX);
        List<Long> times = new ArrayList<>();
        for (long at = 0; at < instants; at++) {
            long here = count * (at + 1) / instants - count * at / instants;
            for (long i = 0; i < here; i++) {
                times.add(MINUTE * at / instants);
            }
        }
        return times;
    }

    private static LimitSpec counting(Algorithm algorithm, long limit, String window, long cost) {
        return new LimitSpec(algorithm, limit, Window.parse(window), 0, cost, List.of());
    }

    private static Series demand(String key, long... units) {
        long[] minutes = new long[units.length];
        for (int i = 0; i < units.length; i++) {
            minutes[i] = START + i * MINUTE;
        }
        return new Series(key, minutes, units);
    }
}
