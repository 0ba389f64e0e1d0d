package io.meridian.chaos.drill.verdict;

import static io.meridian.chaos.drill.sample.SampleDrill.between;
import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.chaos.drill.sample.Changes;
import io.meridian.chaos.drill.sample.SampleDrill;
import org.junit.jupiter.api.Test;

/** Which checks count as failed. */
class NoFailedCheckTest {
    @Test
    void a_failed_check_is_found_with_place_time_and_reason() {
        SampleDrill drill = new SampleDrill().checks(check -> between(check, 26, 26.05), Changes::failed);

        Finding finding = new NoFailedCheck().check(drill.history());

        assertThat(finding.state()).isEqualTo(State.VIOLATED);
        assertThat(finding.words())
                .startsWith("15 of 15,000 checks failed, from 26.0 s to 26.0 s (ap-northeast 3, ap-south 3")
                .endsWith("mostly: no answer in 2 s.");
    }

    @Test
    void a_check_that_fails_while_all_is_cold_is_not_judged() {
        SampleDrill drill = new SampleDrill().checks(check -> between(check, 1, 2), Changes::failed);

        assertThat(new NoFailedCheck().check(drill.history()).state()).isEqualTo(State.VALID);
    }
}
