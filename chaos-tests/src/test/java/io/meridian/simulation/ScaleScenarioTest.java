package io.meridian.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.simulation.Scenario.SimPolicies;
import io.meridian.testkit.TestSeeds;
import org.junit.jupiter.api.Test;

class ScaleScenarioTest {
    @Test
    void a_small_sample_keeps_the_promises_and_tells_what_the_control_plane_takes() {
        ScaleScenario.Figures figures = ScaleScenario.play(10_000, TestSeeds.first());

        assertThat(figures.checks()).isPositive();
        assertThat(figures.kept()).hasSize(2).allSatisfy(each -> assertThat(each.wanted())
                .isPositive());
        assertThat(figures.kept())
                .filteredOn(each -> each.policy().equals(SimPolicies.ESCROW))
                .allSatisfy(escrow -> {
                    assertThat(escrow.above()).isZero();
                    assertThat(escrow.worst()).isLessThanOrEqualTo(1);
                });
        assertThat(figures.usageMessages()).isPositive();
        assertThat(figures.verdictMessages()).isPositive();
        assertThat(figures.usageBytes()).isGreaterThan(figures.usageMessages());
        assertThat(figures.verdictBytes()).isGreaterThan(figures.verdictMessages());
    }
}
