package io.meridian.model.algorithm;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.bucket4j.Bucket;
import io.github.bucket4j.TimeMeter;
import io.meridian.model.algorithm.Algorithm.Counter;
import io.meridian.model.algorithm.History.Step;
import io.meridian.model.algorithm.Outcome.Admitted;
import io.meridian.testkit.Histories;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Bucket4j as an oracle from outside, on quota small enough for its 64-bit arithmetic to be exact. */
class Bucket4jAgreementTest {
    @ParameterizedTest
    @EnumSource(names = {"TOKEN_BUCKET", "GCRA"})
    void a_bucket_admits_and_holds_what_bucket4j_does(Algorithm algorithm) {
        everyBucketAgrees(Histories.TODAY, Counters.of(algorithm));
    }

    @Test
    void a_bucket_that_charges_refused_requests_is_caught() {
        assertThatThrownBy(() -> everyBucketAgrees(Histories.KNOWN, Broken.chargesRefused(Counters.of(Algorithm.GCRA))))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("bucket4j");
    }

    private static void everyBucketAgrees(Histories histories, Counter counter) {
        histories.forEach(random -> agrees(counter, History.draw(random, quota(random))));
    }

    private static void agrees(Counter counter, History history) {
        SetTime time = new SetTime(history.steps().get(0).nowMicros());
        Bucket bucket = bucket(history.quota(), time);
        CounterState state = CounterState.UNTOUCHED;
        for (Step step : history.steps()) {
            time.nowMicros = step.nowMicros();
            boolean theirs = step.cost() == 0 ? bucket.getAvailableTokens() > 0 : bucket.tryConsume(step.cost());
            long available = bucket.getAvailableTokens();
            Outcome ours = counter.decide(state, history.quota(), step.cost(), step.nowMicros());
            Claim.that(theirs == ours instanceof Admitted, () -> step + ": bucket4j says " + theirs + " to " + ours);
            Claim.that(
                    available == ours.standing().remaining(), () -> step + ": bucket4j has " + available + ": " + ours);
            state = ours.next();
        }
    }

    private static Quota quota(SplittableRandom random) {
        long limit = random.nextLong(1, 1_001);
        long burst = random.nextLong(0, 1_001);
        return Quota.of(limit, burst, Window.Span.ofSeconds(random.nextLong(1, 3_601)));
    }

    private static Bucket bucket(Quota quota, TimeMeter time) {
        Duration window = Duration.of(Draw.lengthMicros(quota.window()), ChronoUnit.MICROS);
        return Bucket.builder()
                .addLimit(limit -> limit.capacity(quota.capacity()).refillGreedy(quota.limit(), window))
                .withCustomTimePrecision(time)
                .build();
    }

    /** A clock that stands until it is set. */
    private static final class SetTime implements TimeMeter {
        private long nowMicros;

        SetTime(long nowMicros) {
            this.nowMicros = nowMicros;
        }

        @Override
        public long currentTimeNanos() {
            return TimeUnit.MICROSECONDS.toNanos(nowMicros);
        }

        @Override
        public boolean isWallClockBased() {
            return false;
        }
    }
}
