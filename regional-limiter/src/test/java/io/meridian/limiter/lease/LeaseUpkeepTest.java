package io.meridian.limiter.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.limiter.decide.Instance;
import io.meridian.limiter.decide.ManualTime;
import io.meridian.limiter.decide.MemoryRegion;
import io.meridian.limiter.metrics.LimiterMetrics;
import io.meridian.limiter.region.Ports.Fallback;
import io.meridian.limiter.region.Ports.UsageAccounts;
import io.meridian.limiter.region.RegionClock;
import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.algorithm.Window;
import io.meridian.model.counter.CounterReply;
import io.meridian.model.counter.CounterRequest;
import io.meridian.model.match.Limit;
import io.meridian.model.policy.KeySpec;
import io.meridian.model.policy.Policy;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What an instance charges that was admitted without its region. */
class LeaseUpkeepTest {
    private static final long MINUTE_MICROS = 60_000_000L;
    private static final long NOON = 1_800_000_000_000_000L;
    /** More than are charged at once. */
    private static final int MANY = 2_500;

    private final ManualTime time = new ManualTime(NOON);
    private final MemoryRegion region = new MemoryRegion(time);
    private final Debts debts = new Debts();
    private final Records records = new Records();
    private final LimiterMetrics metrics = new LimiterMetrics(new SimpleMeterRegistry());
    private final LeaseUpkeep upkeep = new LeaseUpkeep(
            new LeaseTable(new Instance.Leases(), metrics), region, debts, new RegionClock(time), records, metrics);

    @Test
    void what_is_owed_to_an_open_window_is_charged_to_it() {
        debts.returnCharge(owed(Algorithm.FIXED_WINDOW, NOON));

        upkeep.round();

        assertThat(region.asks).isEqualTo(1);
        assertThat(records.takenMicros).containsExactly(NOON);
    }

    @Test
    void what_is_owed_to_a_window_that_is_over_is_on_record_and_no_other_pays_for_it() {
        debts.returnCharge(owed(Algorithm.FIXED_WINDOW, NOON));
        time.advance(MINUTE_MICROS);

        upkeep.round();

        assertThat(region.asks).isZero();
        assertThat(records.takenMicros).containsExactly(NOON);
    }

    @Test
    void what_drains_is_charged_whenever_it_was_admitted() {
        debts.returnCharge(owed(Algorithm.GCRA, NOON));
        time.advance(MINUTE_MICROS);

        upkeep.round();

        assertThat(region.asks).isEqualTo(1);
    }

    @Test
    void one_that_leaves_pays_what_it_owes() {
        debts.returnCharge(owed(Algorithm.FIXED_WINDOW, NOON));

        upkeep.leave().join();

        assertThat(records.takenMicros).containsExactly(NOON);
    }

    @Test
    void windows_that_are_over_do_not_keep_open_ones_waiting() {
        for (int i = 0; i < MANY; i++) {
            debts.returnCharge(owed(Algorithm.FIXED_WINDOW, NOON));
        }
        debts.returnCharge(owed(Algorithm.FIXED_WINDOW, NOON + MINUTE_MICROS));
        time.advance(MINUTE_MICROS);

        upkeep.round();

        assertThat(records.takenMicros).hasSize(MANY + 1);
        assertThat(region.asks).isEqualTo(1);
    }

    @Test
    void one_that_leaves_pays_however_much_it_owes_and_hands_over_nothing_twice() {
        for (int i = 0; i < MANY; i++) {
            debts.returnCharge(owed(Algorithm.FIXED_WINDOW, NOON));
        }

        upkeep.leave().join();

        assertThat(records.takenMicros).hasSize(MANY);
        assertThat(debts.all).isEmpty();
    }

    @Test
    void one_that_leaves_a_region_that_is_away_does_not_try_for_ever() {
        for (int i = 0; i < MANY; i++) {
            debts.returnCharge(owed(Algorithm.FIXED_WINDOW, NOON));
        }
        region.misses = Integer.MAX_VALUE;

        upkeep.leave().join();

        assertThat(records.takenMicros).isEmpty();
        assertThat(debts.all).hasSize(MANY);
    }

    private static CounterRequest.Charge owed(Algorithm algorithm, long takenMicros) {
        Policy policy = Policy.of("p", KeySpec.ONE_FOR_ALL, algorithm, 10, Window.parse("60s"));
        return new CounterRequest.Charge(new Limit(policy, policy.limitSpec().quota(), "k", 1, 1), 3, takenMicros);
    }

    private static final class Debts implements Fallback {
        private final List<CounterRequest.Charge> all = new ArrayList<>();

        @Override
        public List<CounterReply> answer(List<CounterRequest> group, long nowMicros) {
            throw new IllegalStateException("nobody asks");
        }

        @Override
        public List<CounterRequest.Charge> pendingCharges(int max) {
            List<CounterRequest.Charge> some = all.subList(0, Math.min(max, all.size()));
            List<CounterRequest.Charge> taken = List.copyOf(some);
            some.clear();
            return taken;
        }

        @Override
        public void returnCharge(CounterRequest.Charge settle) {
            all.add(settle);
        }
    }

    private static final class Records implements UsageAccounts {
        private final List<Long> takenMicros = new ArrayList<>();

        @Override
        public void charged(Limit limit, long units, long atMicros) {
            takenMicros.add(atMicros);
        }

        @Override
        public void refunded(Limit limit, long units, long atMicros) {}
    }
}
