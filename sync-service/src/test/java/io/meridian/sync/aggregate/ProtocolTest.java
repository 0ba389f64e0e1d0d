package io.meridian.sync.aggregate;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.sync.aggregate.ProtocolWorld.Broken;
import io.meridian.testkit.Histories;
import io.meridian.testkit.TestAmounts;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The whole protocol of limits that regions share, from the take to the verdict and back. */
class ProtocolTest {
    private static final int HISTORIES = TestAmounts.of(200, 1_000);
    private static final int STEPS = 300;

    @Test
    void no_history_spends_more_in_escrow_than_the_limit_and_after_quiet_everybody_knows_the_total() {
        Histories.TODAY.forEach(HISTORIES, random -> run(random, Broken.NOTHING).quiet(0));
    }

    @Test
    void a_report_that_never_arrives_is_found_missing() {
        assertThatThrownBy(() -> Histories.KNOWN.forEach(
                        random -> run(random, Broken.NOTHING).quiet(1)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("knows to be used");
    }

    @ParameterizedTest
    @EnumSource(value = Broken.class, mode = EnumSource.Mode.EXCLUDE, names = "NOTHING")
    void without_one_guard_some_history_spends_more(Broken broken) {
        assertThatThrownBy(() -> Histories.KNOWN.forEach(random -> run(random, broken)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("spent");
    }

    private static ProtocolWorld run(SplittableRandom random, Broken broken) {
        ProtocolWorld world = new ProtocolWorld(random, broken);
        for (int i = 0; i < STEPS; i++) {
            world.step();
        }
        return world;
    }
}
