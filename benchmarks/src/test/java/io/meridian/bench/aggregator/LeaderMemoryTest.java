package io.meridian.bench.aggregator;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.bench.aggregator.LeaderMemory.Cost;
import org.junit.jupiter.api.Test;

class LeaderMemoryTest {
    @Test
    void a_limit_that_all_regions_use_takes_no_more_memory_than_is_promised() {
        Cost cost = LeaderMemory.measure(50_000);

        assertThat(cost.bytesPerLimit()).isBetween(50.0, 160.0);
        assertThat(cost.bestNanos()).isPositive();
    }
}
