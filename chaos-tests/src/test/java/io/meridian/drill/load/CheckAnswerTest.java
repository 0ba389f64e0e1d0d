package io.meridian.drill.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.drill.load.CheckClient.CheckAnswer;
import org.junit.jupiter.api.Test;

class CheckAnswerTest {
    private static final String BODY = "{\"allowed\": true, \"degraded\": false, \"limits\": ["
            + "{\"policy\": \"other\", \"reset_at\": \"2026-01-01T00:00:00Z\"},"
            + "{\"policy\": \"p\", \"reset_at\": \"1970-01-01T00:00:15Z\"}]}";

    @Test
    void the_window_is_that_of_the_policy() {
        assertThat(CheckAnswer.of("p", 200, BODY)).isEqualTo(new CheckAnswer(true, 15_000_000, false));
        assertThat(CheckAnswer.of("p", 429, BODY).allowed()).isFalse();
    }

    @Test
    void an_answer_without_redis_is_known_as_such() {
        assertThat(CheckAnswer.of("p", 200, BODY.replace("false", "true")).degraded())
                .isTrue();
    }

    @Test
    void anything_but_a_decision_about_the_policy_is_a_failed_check() {
        assertThatThrownBy(() -> CheckAnswer.of("p", 503, BODY)).hasMessage("status 503");
        assertThatThrownBy(() -> CheckAnswer.of("p", 200, "no")).hasMessage("invalid JSON");
        assertThatThrownBy(() -> CheckAnswer.of("q", 200, BODY)).hasMessage("status 200 without the policy");
    }
}
