package io.meridian.model.algorithm;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.model.algorithm.Algorithm.Counter;
import io.meridian.testkit.Histories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BucketTest {
    @ParameterizedTest
    @EnumSource(names = {"TOKEN_BUCKET", "GCRA"})
    void a_bucket_agrees_with_fractions_of_any_size(Algorithm algorithm) {
        everyBucketAgrees(Histories.TODAY, Counters.of(algorithm));
    }

    @ParameterizedTest
    @EnumSource(names = {"TOKEN_BUCKET", "GCRA"})
    void a_bucket_that_charges_refused_requests_is_caught(Algorithm algorithm) {
        assertThatThrownBy(() -> everyBucketAgrees(Histories.KNOWN, Broken.chargesRefused(Counters.of(algorithm))))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("replays");
    }

    @Test
    void a_bucket_that_charges_questions_is_caught() {
        assertThatThrownBy(() ->
                        everyBucketAgrees(Histories.KNOWN, Broken.chargesPeeks(Counters.of(Algorithm.TOKEN_BUCKET))))
                .isInstanceOf(AssertionError.class);
    }

    private static void everyBucketAgrees(Histories histories, Counter counter) {
        histories.forEach(random -> {
            History history = History.draw(random, Draw.bucketTerms(random));
            Oracle.agrees(counter, new LevelOracle(history.quota()), history);
            Promise.holdsAtTheRate(history.replay(counter), history.quota());
        });
    }
}
