package io.meridian.limiter.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.algorithm.Window;
import io.meridian.model.policy.KeySpec;
import io.meridian.model.policy.Policy;
import io.meridian.testkit.TestAmounts;
import io.meridian.testkit.TestSeeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Three instances with leases on one region, under seeded load: what all of them admit together keeps the promise. */
class SharedLimitTest {
    private static final int HISTORIES = TestAmounts.of(8, 60);
    private static final long WINDOW_MICROS = 10_000_000;
    private static final long NOON = 1_800_000_000_000_000L;
    private static final Map<String, String> ANN = Map.of("user_id", "ann");

    private record Admitted(long atMicros, long cost) {}

    @ParameterizedTest
    @EnumSource
    void the_limit_holds_over_all_instances(Algorithm algorithm) {
        TestSeeds.forEachHistory(HISTORIES, random -> {
            long limit = random.nextLong(20, 3_000);
            List<Admitted> admitted = history(algorithm, limit, random);
            assertThat(worst(algorithm, admitted, limit))
                    .as("admitted above a limit of %d", limit)
                    .isLessThanOrEqualTo(0);
        });
    }

    /** All requests that three instances admitted, who come and go at random paces. */
    private static List<Admitted> history(Algorithm algorithm, long limit, SplittableRandom random) {
        ManualTime time = new ManualTime(NOON + random.nextLong(WINDOW_MICROS));
        MemoryRegion region = new MemoryRegion(time);
        Policy policy = Policy.of("a", KeySpec.of("user_id"), algorithm, limit, Window.parse("10s"));
        List<Instance> instances =
                Stream.generate(() -> new Instance(region, policy)).limit(3).toList();
        List<Admitted> admitted = new ArrayList<>();
        for (int phase = 0; phase < 6; phase++) {
            long stepMicros = 1 + random.nextLong(2 * WINDOW_MICROS / limit);
            long costMax = 1 + random.nextLong(3);
            for (int i = 0; i < limit / 2 + 50; i++) {
                time.advance(random.nextLong(stepMicros));
                Instance instance = instances.get(random.nextInt(3));
                long cost = 1 + random.nextLong(costMax);
                if (instance.admits(ANN, cost)) {
                    admitted.add(new Admitted(time.wallMicros(), cost));
                }
                if (random.nextInt(10) == 0) {
                    instances.forEach(each -> each.release(false));
                }
            }
            time.advance(random.nextLong(WINDOW_MICROS));
        }
        return admitted;
    }

    /** By how much the worst interval is above what the algorithm promises. */
    private static long worst(Algorithm algorithm, List<Admitted> admitted, long limit) {
        return switch (algorithm) {
            case FIXED_WINDOW -> worstWindow(admitted) - limit;
            case SLIDING_WINDOW_LOG, SLIDING_WINDOW_COUNTER -> worstInterval(admitted) - limit;
            // Up to twice the limit is what an estimate that assumes evenness may admit.
            case SLIDING_WINDOW_ESTIMATE -> worstInterval(admitted) - 2 * limit;
            case TOKEN_BUCKET, LEAKY_BUCKET, GCRA -> worstBurst(admitted, limit);
        };
    }

    private static long worstWindow(List<Admitted> admitted) {
        long worst = 0;
        long window = Long.MIN_VALUE;
        long sum = 0;
        for (Admitted each : admitted) {
            long current = each.atMicros / WINDOW_MICROS;
            sum = current == window ? sum + each.cost : each.cost;
            window = current;
            worst = Math.max(worst, sum);
        }
        return worst;
    }

    private static long worstInterval(List<Admitted> admitted) {
        long worst = 0;
        long sum = 0;
        int oldest = 0;
        for (Admitted each : admitted) {
            sum += each.cost;
            while (admitted.get(oldest).atMicros <= each.atMicros - WINDOW_MICROS) {
                sum -= admitted.get(oldest++).cost;
            }
            worst = Math.max(worst, sum);
        }
        return worst;
    }

    /** A bucket that only drains: its level above the capacity is what was admitted too much in some interval. */
    private static long worstBurst(List<Admitted> admitted, long limit) {
        double level = 0;
        double worst = 0;
        long last = NOON;
        for (Admitted each : admitted) {
            level = Math.max(0, level - (double) (each.atMicros - last) * limit / WINDOW_MICROS) + each.cost;
            last = each.atMicros;
            worst = Math.max(worst, level - limit);
        }
        // The doubles here are not exact; the counters are.
        return (long) Math.ceil(worst - 1e-6);
    }
}
