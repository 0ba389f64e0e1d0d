package io.meridian.model.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.algorithm.Quota;
import io.meridian.model.algorithm.Window;
import io.meridian.model.policy.LimitSpec.EndpointCost;
import io.meridian.model.validation.ValidationException;
import io.meridian.testkit.Histories;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LimitSpecTest {
    private static final List<Algorithm> ALGORITHMS = List.of(Algorithm.values());
    private static final long[] LIMITS = {-1, 0, 1, 9, 10, 11, 100, 100_000, 100_001, Quota.MAX, Quota.MAX + 1};

    @Test
    void it_takes_exactly_the_overrides_its_constructor_takes() {
        AtomicInteger taken = new AtomicInteger();
        AtomicInteger refused = new AtomicInteger();
        Histories.TODAY.forEach(random -> {
            LimitSpec counting = draw(random);
            long limit = LIMITS[random.nextInt(LIMITS.length)];
            long burst = LIMITS[random.nextInt(LIMITS.length)];
            boolean built = isBuilt(counting, limit, burst);
            (built ? taken : refused).incrementAndGet();
            assertThat(counting.takes(limit, burst)).isEqualTo(built);
        });
        assertThat(taken.get()).isGreaterThan(Histories.COUNT / 10);
        assertThat(refused.get()).isGreaterThan(Histories.COUNT / 10);
    }

    private static LimitSpec draw(SplittableRandom random) {
        Algorithm algorithm = ALGORITHMS.get(random.nextInt(ALGORITHMS.size()));
        List<EndpointCost> costs = random.nextBoolean()
                ? List.of()
                : List.of(new EndpointCost(EndpointPattern.EVERYTHING, "", random.nextLong(1, 20)));
        return new LimitSpec(algorithm, 1_000, Window.Span.ofSeconds(60), 0, random.nextLong(1, 20), costs);
    }

    private static boolean isBuilt(LimitSpec counting, long limit, long burst) {
        try {
            counting.with(limit, burst);
            return true;
        } catch (ValidationException refused) {
            return false;
        }
    }
}
