package io.meridian.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BenchmarkPoliciesTest {
    @ParameterizedTest
    @ValueSource(ints = {10, 100, 1000})
    void the_measured_request_meets_three_limits_however_many_policies_there_are(int size) {
        MatchBenchmark benchmark = new MatchBenchmark();
        benchmark.compile(size);

        assertThat(BenchmarkPolicies.ofSize(size)).hasSize(size);
        assertThat(benchmark.match())
                .extracting(limit -> limit.policy().id())
                .containsExactlyInAnyOrder("all", "users", "free");
    }

    @Test
    void the_whole_decision_is_made() {
        MatchBenchmark benchmark = new MatchBenchmark();
        benchmark.compile(10);

        assertThat(benchmark.matchAndDecide().limits()).hasSize(3);
    }
}
