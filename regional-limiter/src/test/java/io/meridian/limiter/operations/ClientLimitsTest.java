package io.meridian.limiter.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.limiter.decide.CheckResult.LimitResult;
import io.meridian.limiter.decide.Instance;
import io.meridian.limiter.decide.ManualTime;
import io.meridian.limiter.decide.MemoryRegion;
import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.algorithm.Window;
import io.meridian.model.match.Check;
import io.meridian.model.policy.KeySpec;
import io.meridian.model.policy.Policy;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the centre asks has more time than a check. Within the service, because retries are its library's. */
@QuarkusTest
class ClientLimitsTest {
    private static final Policy POLICY =
            Policy.of("p", KeySpec.of("user_id"), Algorithm.FIXED_WINDOW, 10, Window.parse("1h"));
    private static final Check ANN = new Check(Map.of("user_id", "ann"), "/", "GET", Map.of(), "", 1);

    private final MemoryRegion region = new MemoryRegion(new ManualTime(1_000_000));
    private final Instance instance = new Instance(region, POLICY);
    private final ClientLimits limits = new ClientLimits(instance.amendments);

    @Test
    void what_redis_missed_is_asked_again_and_counted_once() {
        assertThat(instance.admits(Map.of("user_id", "ann"), 3)).isTrue();

        region.misses = 2;

        assertThat(remaining(limits.status(ANN, true).toCompletableFuture().join()))
                .containsExactly(7L);
        assertThat(remaining(limits.reset(ANN, true).toCompletableFuture().join()))
                .containsExactly(10L);
    }

    @Test
    void a_region_that_stays_away_is_not_asked_for_ever() {
        region.misses = 100;

        assertThatThrownBy(() -> limits.status(ANN, true).toCompletableFuture().join())
                .isNotNull();
        assertThat(region.misses).isEqualTo(97);
    }

    private static List<Long> remaining(List<LimitResult> known) {
        return known.stream()
                .map(each -> each.evaluated().standing().remaining())
                .toList();
    }
}
