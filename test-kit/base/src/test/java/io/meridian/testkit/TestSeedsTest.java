package io.meridian.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TestSeedsTest {
    @Test
    void every_build_of_a_day_begins_at_the_same_seed_and_every_day_at_another() {
        assertThat(TestSeeds.first(null, "20260131000001")).isEqualTo(20_260_131_000_000L);
        assertThat(TestSeeds.first("", "20260131235959")).isEqualTo(20_260_131_000_000L);
        assertThat(TestSeeds.first(null, "20260201000000")).isEqualTo(20_260_201_000_000L);
    }

    @Test
    void a_given_seed_wins_and_no_build_plays_the_known_seeds() {
        assertThat(TestSeeds.first("42", "20260131000001")).isEqualTo(42);
        assertThat(TestSeeds.first(null, null)).isEqualTo(TestSeeds.KNOWN);
    }

    @Test
    void a_seed_that_is_no_number_is_refused_by_name() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TestSeeds.first("today", null))
                .withMessage("meridian.seed must be a whole number, got today");
    }

    @Test
    void a_failure_names_the_seed_that_repeats_it() {
        List<Long> drawn = new ArrayList<>();
        assertThatThrownBy(() -> TestSeeds.forEachKnownHistory(5, random -> {
                    drawn.add(random.nextLong());
                    assertThat(drawn).hasSizeLessThan(3);
                }))
                .hasMessageContaining("-Dmeridian.seed=" + (TestSeeds.KNOWN + 2) + " replays");
        assertThat(drawn.get(2)).isEqualTo(new SplittableRandom(TestSeeds.KNOWN + 2).nextLong());
    }

    @Test
    void amounts_are_default_or_full() {
        assertThat(TestAmounts.isFull("default")).isFalse();
        assertThat(TestAmounts.isFull("full")).isTrue();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TestAmounts.isFull("some"))
                .withMessage("meridian.tests must be default or full, got some");
    }
}
