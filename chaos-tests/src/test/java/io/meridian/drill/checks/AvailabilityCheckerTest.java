package io.meridian.drill.checks;

import static io.meridian.drill.sample.SampleDrill.between;
import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.drill.checks.Finding.State;
import io.meridian.drill.sample.Changes;
import io.meridian.drill.sample.SampleDrill;
import org.junit.jupiter.api.Test;

/** Which checks count as failed. */
class AvailabilityCheckerTest {
    @Test
    void a_failed_check_is_found_with_place_time_and_reason() {
        SampleDrill drill = new SampleDrill().checks(check -> between(check, 26, 26.05), Changes::failed);

        Finding finding = new AvailabilityChecker().check(drill.history());

        assertThat(finding.state()).isEqualTo(State.VIOLATED);
        assertThat(finding.description())
                .startsWith("15 of 15,000 checks failed, from 26.0 s to 26.0 s (ap-northeast 3, ap-south 3")
                .endsWith("mostly: no answer in 2 s.");
    }

    @Test
    void a_check_that_fails_while_all_is_cold_is_not_judged() {
        SampleDrill drill = new SampleDrill().checks(check -> between(check, 1, 2), Changes::failed);

        assertThat(new AvailabilityChecker().check(drill.history()).state()).isEqualTo(State.VALID);
    }
}
