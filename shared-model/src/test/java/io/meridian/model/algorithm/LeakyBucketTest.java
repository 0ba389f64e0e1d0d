package io.meridian.model.algorithm;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.model.algorithm.Algorithm.Counter;
import io.meridian.model.algorithm.History.Step;
import io.meridian.model.algorithm.Outcome.Admitted;
import io.meridian.testkit.Histories;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LeakyBucketTest {
    private static final Counter LEAKY = Counters.of(Algorithm.LEAKY_BUCKET);

    @Test
    void the_queue_refuses_exactly_when_it_is_full() {
        Histories.TODAY.forEach(random -> {
            History history = History.draw(random, Algorithm.LEAKY_BUCKET);
            Oracle.agrees(LEAKY, new QueueOracle(history.quota()), history);
        });
    }

    @Test
    void what_is_admitted_starts_when_everything_before_it_is_done_and_starts_are_paced() {
        everyStartIsPaced(Histories.TODAY, LEAKY);
    }

    @Test
    void a_bucket_that_does_not_pace_is_caught() {
        assertThatThrownBy(() -> everyStartIsPaced(Histories.KNOWN, Counters.of(Algorithm.TOKEN_BUCKET)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("delay");
    }

    @Test
    void starts_that_are_not_paced_are_caught() {
        Quota quota = Quota.of(10, 0, Window.Span.ofSeconds(1));
        List<Taken> tooClose = List.of(new Taken(0, 5), new Taken(400_000, 1));
        assertThatThrownBy(() -> startsArePaced(tooClose, quota))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("started");
    }

    private static void everyStartIsPaced(Histories histories, Counter counter) {
        histories.forEach(random -> {
            History history = History.draw(random, Algorithm.LEAKY_BUCKET);
            startsArePaced(starts(counter, history), history.quota());
        });
    }

    /** The starts of what is admitted, each checked against the queue. */
    private static List<Taken> starts(Counter counter, History history) {
        QueueOracle queue = new QueueOracle(history.quota());
        List<Taken> starts = new ArrayList<>();
        CounterState state = CounterState.UNTOUCHED;
        for (Step step : history.steps()) {
            Outcome outcome = counter.decide(state, history.quota(), step.cost(), step.nowMicros());
            if (outcome instanceof Admitted admitted) {
                long delayMicros = queue.delayAt(step.nowMicros());
                Claim.that(delayMicros == admitted.delayMicros(), () -> "delay " + delayMicros + ": " + admitted);
                queue.take(step.nowMicros(), step.cost());
                starts.add(new Taken(step.nowMicros() + delayMicros, step.cost()));
            }
            state = outcome.next();
        }
        return starts;
    }

    /** Before the last of any run of starts, at most {@code limit x t / window} started; a microsecond is rounding. */
    private static void startsArePaced(List<Taken> starts, Quota quota) {
        BigInteger window = BigInteger.valueOf(Draw.lengthMicros(quota.window()));
        BigInteger limit = BigInteger.valueOf(quota.limit());
        for (int first = 0; first < starts.size(); first++) {
            BigInteger before = BigInteger.ZERO;
            for (Taken start : starts.subList(first, starts.size())) {
                long lengthMicros = start.atMicros() - starts.get(first).atMicros() + 1;
                BigInteger started = before;
                boolean paced =
                        started.multiply(window).compareTo(limit.multiply(BigInteger.valueOf(lengthMicros))) <= 0;
                Claim.that(paced, () -> started + " started within " + lengthMicros + " before " + start);
                before = before.add(BigInteger.valueOf(start.cost()));
            }
        }
    }
}
