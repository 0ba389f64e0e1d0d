package io.meridian.model.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.algorithm.Outcome.Standing;
import io.meridian.model.algorithm.Terms;
import io.meridian.model.algorithm.Window;
import io.meridian.model.match.Limit;
import io.meridian.model.policy.KeySpec;
import io.meridian.model.policy.Policy;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is held while the region's clock is set, as a region answers whose windows follow its clock both ways. */
class LeaseTest {
    private static final long SECOND = 1_000_000;
    private static final long EDGE = 1_768_474_800 * SECOND;
    private static final Window WINDOW = Window.parse("60s");
    private static final Limit LIMIT = new Limit(
            Policy.of("p", KeySpec.ONE_FOR_ALL, Algorithm.FIXED_WINDOW, 100, WINDOW),
            Terms.of(100, 0, WINDOW),
            "",
            1,
            1);

    private final Lease lease = new Lease(new LeaseRules(SECOND, SECOND));

    @Test
    void what_is_held_of_a_window_goes_back_when_the_region_speaks_of_the_one_before() {
        told(10, EDGE + SECOND / 2);

        assertThat(told(0, EDGE - 1)).isEqualTo(new Ask.GiveBack(LIMIT, 10, EDGE + SECOND / 2));

        assertThat(lease.spend(LIMIT, 1, EDGE + SECOND / 2)).isNull();
    }

    @Test
    void what_is_held_of_a_window_goes_back_when_the_region_speaks_of_the_next() {
        told(10, EDGE - 1);

        assertThat(told(0, EDGE)).isEqualTo(new Ask.GiveBack(LIMIT, 10, EDGE - 1));

        assertThat(lease.spend(LIMIT, 1, EDGE - 1)).isNull();
    }

    @Test
    void what_is_held_stays_when_the_region_speaks_of_the_same_window() {
        told(10, EDGE);

        assertThat(told(0, EDGE + 1)).isNull();

        assertThat(lease.spend(LIMIT, 1, EDGE + 2)).isNotNull();
    }

    /** An answer to a take of one, and what has to go back for it. */
    private Ask.@Nullable GiveBack told(long ahead, long nowMicros) {
        long end = WINDOW.endMicros(WINDOW.startMicros(nowMicros));
        Told told = new Told(true, new Standing(100, 50, end), 0, ahead, Math.min(end, nowMicros + SECOND));
        return lease.told(new Ask.Take(LIMIT, 1, ahead, SECOND), told, nowMicros);
    }
}
