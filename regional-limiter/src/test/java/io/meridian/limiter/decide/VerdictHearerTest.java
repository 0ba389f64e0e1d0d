package io.meridian.limiter.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.limiter.metrics.LimiterMetrics;
import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.algorithm.Window;
import io.meridian.model.match.Limit;
import io.meridian.model.policy.AfterHeal;
import io.meridian.model.policy.KeySpec;
import io.meridian.model.policy.Policy;
import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.RegionLife;
import io.meridian.model.usage.Sharing;
import io.meridian.model.usage.WindowRule;
import io.meridian.model.wire.VerdictRecord;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What wakes a check that waits for the first grant of its limit. */
class VerdictHearerTest {
    private static final long MINUTE_MICROS = 60_000_000L;
    private static final long NOON = 1_800_000_000_000_000L;
    private static final Policy POLICY =
            Policy.of("p", KeySpec.ONE_FOR_ALL, Algorithm.FIXED_WINDOW, 10, Window.parse("60s"));
    private static final Limit LIMIT = new Limit(POLICY, POLICY.counting().terms(), "k", 1, 1);

    private final ManualTime time = new ManualTime(NOON);
    private final GrantWaits waits = new GrantWaits((millis, task) -> {}, Centre.NONE, new Instance.Leases());
    private final VerdictHearer hearer = new VerdictHearer(
            new LeaseTable(new Instance.Leases(), new LimiterMetrics(new SimpleMeterRegistry())),
            new MemoryRegion(time),
            waits,
            new RegionClock(time));
    private final CompletableFuture<Void> check = waits.await(LIMIT).toCompletableFuture();

    @Test
    void a_grant_of_the_open_window_does() {
        hearer.heard(granted(NOON));

        assertThat(check).isDone();
    }

    @Test
    void a_grant_of_the_window_before_that_comes_late_does_not() {
        hearer.heard(granted(NOON - MINUTE_MICROS));

        assertThat(check).isNotDone();
    }

    @Test
    void a_grant_ahead_of_the_next_window_does_not() {
        hearer.heard(granted(NOON + MINUTE_MICROS));

        assertThat(check).isNotDone();
    }

    private static VerdictRecord granted(long startMicros) {
        return new VerdictRecord(
                new LimitWindow("p", "k", startMicros),
                new RegionLife("us-east", 1),
                1,
                1,
                new WindowRule(1, 10, MINUTE_MICROS, Sharing.ESCROW, AfterHeal.FORGIVE),
                0,
                false,
                5,
                VerdictRecord.KEEP_ALL,
                0,
                0);
    }
}
