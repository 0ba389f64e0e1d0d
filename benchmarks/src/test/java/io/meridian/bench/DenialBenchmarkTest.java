package io.meridian.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.model.decision.Decision;
import org.junit.jupiter.api.Test;

class DenialBenchmarkTest {
    @Test
    void what_is_measured_is_a_denial() {
        DenialBenchmark benchmark = new DenialBenchmark();
        benchmark.fill();

        assertThat(benchmark.deny()).isInstanceOf(Decision.Denied.class);
        assertThat(benchmark.deny().limits().get(0).standing().remaining()).isEqualTo(100_000 - 100);
    }
}
