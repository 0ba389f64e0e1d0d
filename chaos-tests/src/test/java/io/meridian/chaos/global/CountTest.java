package io.meridian.chaos.global;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.chaos.drill.history.Subject;
import io.meridian.chaos.drill.history.Subject.Sharing;
import io.meridian.chaos.drill.load.Answer;
import io.meridian.model.algorithm.Window;
import java.util.List;
import org.junit.jupiter.api.Test;

class CountTest {
    private static final Subject SUBJECT =
            Policies.subject("p", new Scale(Window.Span.ofSeconds(10), 10), Sharing.CONVERGE);

    private final Count count = new Count();

    @Test
    void an_answer_counts_for_the_window_that_it_names() {
        count.answered(answered("a", new Answer(true, 100, false), 0, 9));
        count.answered(answered("a", new Answer(true, 200, true), 1, 2));
        count.answered(answered("b", new Answer(false, 200, false), 3, 4));

        assertThat(count.windows()).containsExactly(100L, 200L);
        assertThat(count.window(100).total()).isEqualTo(1);
        assertThat(count.window(200).total()).isEqualTo(1);
        assertThat(count.window(300).asked()).isZero();
        assertThat(count.allowed()).isEqualTo(2);
        assertThat(count.denied()).isEqualTo(1);
        assertThat(count.degraded()).isEqualTo(1);
    }

    @Test
    void a_decision_is_looked_for_by_region_window_and_sending() {
        count.answered(answered("a", new Answer(true, 100, false), 10, 11));
        count.answered(answered("b", new Answer(false, 100, false), 20, 21));

        assertThat(count.has("a", true, 100, 10)).isTrue();
        assertThat(count.has("a", true, 100, 11)).isFalse();
        assertThat(count.has("a", false, 100, 0)).isFalse();
        assertThat(count.has("a", true, 200, 0)).isFalse();
        assertThat(count.has("b", false, 100, 0)).isTrue();
    }

    @Test
    void what_it_cannot_keep_is_a_failure_and_not_forgotten() {
        Count small = new Count(1);
        small.answered(answered("a", new Answer(true, 100, false), 0, 1));
        small.answered(answered("a", new Answer(true, 100, false), 0, 1));

        assertThat(small.allowed()).isEqualTo(1);
        assertThat(small.failures()).containsOnlyKeys("over 1 answers");
    }

    @Test
    void a_single_failed_check_and_a_single_request_too_many_are_found() {
        for (int i = 0; i < 3; i++) {
            count.answered(answered("a", new Answer(true, 100, false), i, i));
        }
        Stage.assertNoneFailed(SUBJECT, count);
        Stage.assertNeverAbove(3, SUBJECT, count);

        assertThatThrownBy(() -> Stage.assertNeverAbove(2, SUBJECT, count)).isInstanceOf(AssertionError.class);
        count.failed("status 503");
        assertThatThrownBy(() -> Stage.assertNoneFailed(SUBJECT, count)).isInstanceOf(AssertionError.class);
    }

    @Test
    void it_is_steady_when_the_latest_answers_were_given_with_redis() {
        count.answered(answered("a", new Answer(true, 100, true), 0, 1));
        count.answered(answered("a", new Answer(true, 100, false), 2, 3));

        assertThat(count.isSteady(1)).isTrue();
        assertThat(count.isSteady(2)).isFalse();
        assertThat(count.isSteady(3)).isFalse();
        assertThat(count.degraded("a")).isEqualTo(1);
        assertThat(count.degraded("b")).isZero();
    }

    private static Answered answered(String region, Answer answer, long sent, long received) {
        return new Answered(region, answer, sent, received);
    }

    @Test
    void delays_are_ranked_not_interpolated() {
        Delays delays = new Delays(List.of(4_000_000L, 1_000_000L, 3_000_000L, 2_000_000L));

        assertThat(delays.millis(0.5)).isEqualTo(2);
        assertThat(delays.millis(0.99)).isEqualTo(4);
        assertThat(new Delays(List.of()).millis(0.5)).isZero();
    }
}
