package io.meridian.limiter.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.limiter.region.LimitId;
import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.algorithm.CounterState;
import io.meridian.model.algorithm.Outcome;
import io.meridian.model.algorithm.Window;
import io.meridian.model.decision.Decision;
import io.meridian.model.decision.Decision.LimitDecision;
import io.meridian.model.match.Limit;
import io.meridian.model.policy.KeySpec;
import io.meridian.model.policy.Policy;
import io.meridian.testkit.TestSeeds;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The wait that a refused check is told, from the region or from memory, against its definition: the smallest whole number of
 * seconds after which a check of that cost fits if nobody else asks.
 */
class RetryAfterTest {
    private static final long NOON = 1_800_000_000_000_000L;
    private static final long SECOND = 1_000_000;
    private static final Map<String, String> ANN = Map.of("user_id", "ann", "tenant", "acme");
    private static final List<String> WINDOWS = List.of("1s", "2s", "4s", "10s", "1m", "1h");
    private static final int HISTORIES = 300;
    private static final int CHECKS = 60;

    @ParameterizedTest
    @EnumSource
    void it_is_the_smallest_whole_number_of_seconds_after_which_the_check_fits(Algorithm algorithm) {
        int[] refused = new int[1];
        TestSeeds.forEachHistory(HISTORIES, random -> refused[0] += refusals(random, algorithm));
        assertThat(refused[0]).isGreaterThan(HISTORIES);
    }

    /** How many checks of a random history were refused, each with the wait that is right. */
    private static int refusals(SplittableRandom random, Algorithm algorithm) {
        ManualTime time = new ManualTime(NOON + random.nextLong(SECOND * 3_600));
        MemoryRegion region = new MemoryRegion(time);
        Algorithm[] all = Algorithm.values();
        Policy own = policy(random, "own", "user_id", algorithm);
        Policy other = policy(random, "other", "tenant", all[random.nextInt(all.length)]);
        Instance instance = random.nextBoolean() ? new Instance(region, own) : new Instance(region, own, other);
        int refusals = 0;
        for (int i = 0; i < CHECKS; i++) {
            time.advance(random.nextInt(4) == 0 ? random.nextLong(3 * SECOND) : random.nextLong(SECOND / 4));
            // As the instance does ten times a second: a lease that has ended is not in anybody's way.
            instance.release(false);
            long cost = random.nextLong(1, own.limitSpec().quota().capacity() + 2);
            CheckResult.Decided ruling = (CheckResult.Decided) instance.check(ANN, cost);
            if (ruling.decision() instanceof Decision.Denied denied) {
                refusals++;
                isRight(denied, region, cost);
            }
        }
        return refusals;
    }

    private static void isRight(Decision.Denied denied, MemoryRegion region, long cost) {
        boolean never = denied.limits().stream()
                .anyMatch(each -> cost > each.limit().quota().capacity());
        assertThat(denied.forGood()).isEqualTo(never);
        if (!never) {
            long seconds = Math.max(1, (denied.retryAfterMicros() + SECOND - 1) / SECOND);
            assertThat(fits(denied, region, seconds))
                    .as("after %d s: %s", seconds, denied)
                    .isTrue();
            assertThat(seconds > 1 && fits(denied, region, seconds - 1))
                    .as("a second before %d s: %s", seconds, denied)
                    .isFalse();
        }
    }

    private static boolean fits(Decision.Denied denied, MemoryRegion region, long seconds) {
        long thenMicros = region.time.wallMicros() + seconds * SECOND;
        return denied.limits().stream().map(LimitDecision::limit).allMatch(limit -> {
            CounterState state = region.states.getOrDefault(LimitId.of(limit), CounterState.UNTOUCHED);
            return outcome(limit, state, thenMicros) instanceof Outcome.Admitted;
        });
    }

    private static Outcome outcome(Limit limit, CounterState state, long nowMicros) {
        return limit.policy().limitSpec().algorithm().decide(state, limit.quota(), limit.cost(), nowMicros);
    }

    private static Policy policy(SplittableRandom random, String id, String key, Algorithm algorithm) {
        String window = WINDOWS.get(random.nextInt(WINDOWS.size()));
        return Policy.of(id, KeySpec.of(key), algorithm, random.nextLong(1, 40), Window.parse(window));
    }
}
