package io.meridian.limiter.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.limiter.decide.CheckResult;
import io.meridian.limiter.decide.CheckResult.DecidedBy;
import io.meridian.limiter.http.CheckJsonWriter.LimitTexts;
import io.meridian.limiter.http.RateLimitHeaders.RateLimitFields;
import io.meridian.limiter.http.RateLimitHeaders.RateLimitFields.RateLimitDraft;
import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.algorithm.CounterState;
import io.meridian.model.algorithm.Outcome.Standing;
import io.meridian.model.algorithm.Window;
import io.meridian.model.decision.Decision.LimitDecision;
import io.meridian.model.policy.Coordination;
import io.meridian.model.policy.Coordination.AfterHeal;
import io.meridian.model.policy.Coordination.Mode;
import io.meridian.model.policy.Coordination.OnExhausted;
import io.meridian.model.policy.Coordination.Scope;
import io.meridian.model.policy.Enforcement;
import io.meridian.model.policy.Enforcement.Action;
import io.meridian.model.policy.KeySpec;
import io.meridian.model.policy.Policy;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RateLimitFieldsTest {
    private static RateLimitFields fields(LimitDecision... evaluated) {
        return new RateLimitFields(RateLimitDraft.DRAFT_10, Rulings.decided(DecidedBy.REGION, evaluated));
    }

    @Test
    void the_deciding_limit_comes_first_and_shadows_not_at_all() {
        Policy shadow = Rulings.with(Rulings.policy("s"), Action.LOG_ONLY, 0);
        RateLimitFields fields = fields(
                Rulings.admits(Rulings.policy("a"), 9),
                Rulings.admits(shadow, 1),
                Rulings.admits(Rulings.policy("b"), 2));
        assertThat(fields.policies()).isEqualTo("\"b\";q=1000;w=3600, \"a\";q=1000;w=3600");
        assertThat(fields.standings()).isEqualTo("\"b\";r=2;t=1800, \"a\";r=9;t=1800");
    }

    @Test
    void there_are_no_more_members_than_the_bound() {
        RateLimitFields fields = fields(IntStream.range(0, 50)
                .mapToObj(i -> Rulings.admits(Rulings.policy("p" + i), 100 - i))
                .toArray(LimitDecision[]::new));
        assertThat(fields.policies().split(", ")).hasSize(RateLimitFields.MEMBERS_MAX);
        assertThat(fields.standings()).startsWith("\"p49\";r=51;");
    }

    @Test
    void a_month_has_the_length_of_this_month() {
        Policy monthly = Policy.of("m", KeySpec.of("api_key"), Algorithm.FIXED_WINDOW, 1_000, Window.parse("month"));
        assertThat(fields(Rulings.admits(monthly, 1)).policies()).isEqualTo("\"m\";q=1000;w=" + 31 * 86_400);
    }

    @Test
    void a_text_is_quoted_as_structured_fields_are() {
        StringBuilder field = new StringBuilder();
        RateLimitFields.quoted(field, "a\"b\\c\u00e9\n");
        assertThat(field).hasToString("\"a\\\"b\\\\c??\"");
    }

    @Test
    void a_draft_must_be_one_of_those_there_are() {
        assertThat(RateLimitDraft.parse("10")).isEqualTo(RateLimitDraft.DRAFT_10);
        assertThat(RateLimitDraft.parse("07")).isEqualTo(RateLimitDraft.DRAFT_07);
        assertThat(RateLimitDraft.parse("none")).isEqualTo(RateLimitDraft.NONE);
        assertThatThrownBy(() -> RateLimitDraft.parse("9")).hasMessageContaining("must be 10, 07 or none, got 9");
    }

    @Test
    void only_what_a_region_counts_exactly_for_itself_is_exact() {
        Policy regional = Rulings.policy("p");
        Policy estimated =
                Rulings.with(regional, Algorithm.SLIDING_WINDOW_ESTIMATE, Coordination.REGIONAL, Enforcement.REJECT);
        Policy global = Rulings.with(
                regional,
                Algorithm.FIXED_WINDOW,
                new Coordination(Scope.GLOBAL, Mode.ESCROW, new OnExhausted.Deny(), AfterHeal.FORGIVE),
                Enforcement.REJECT);
        assertThat(bound(regional, DecidedBy.LEASE)).isEqualTo("exact");
        assertThat(bound(regional, DecidedBy.REGION)).isEqualTo("exact");
        assertThat(bound(regional, DecidedBy.FALLBACK)).isEqualTo("none");
        assertThat(bound(estimated, DecidedBy.REGION)).isEqualTo("none");
        assertThat(bound(global, DecidedBy.GLOBAL)).isEqualTo("escrow");
        assertThat(bound(global, DecidedBy.LEASE)).isEqualTo("escrow");
        assertThat(bound(global, DecidedBy.FALLBACK)).isEqualTo("none");
    }

    private static String bound(Policy policy, DecidedBy by) {
        return LimitTexts.bound(Rulings.limit(policy), by).getValue();
    }

    @Test
    void headers_are_of_custom_alone_where_no_draft_is_followed() {
        CheckResult ruling = Rulings.decided(DecidedBy.REGION, Rulings.admits(Rulings.policy("p"), 1));
        assertThat(new RateLimitHeaders(RateLimitDraft.NONE).of(ruling, false).names())
                .containsExactly(
                        "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "X-RateLimit-Policy");
    }

    @Test
    void the_policy_header_has_the_limit_and_the_window_of_the_deciding_limit() {
        long january = Rulings.micros("2026-01-15T10:30:00Z");
        long february = Rulings.micros("2026-02-15T10:30:00Z");
        for (int round = 0; round < 2; round++) {
            assertThat(RateLimitFields.policy(admits(1_000, "1h"), january)).isEqualTo("1000;w=3600");
            assertThat(RateLimitFields.policy(admits(999, "1h"), january)).isEqualTo("999;w=3600");
            assertThat(RateLimitFields.policy(admits(7, "1s"), january)).isEqualTo("7;w=1");
            assertThat(RateLimitFields.policy(admits(7, "month"), january)).isEqualTo("7;w=2678400");
            assertThat(RateLimitFields.policy(admits(7, "month"), february)).isEqualTo("7;w=2419200");
        }
    }

    private static LimitDecision admits(long limit, String window) {
        Policy policy = Policy.of("p", KeySpec.of("api_key"), Algorithm.FIXED_WINDOW, limit, Window.parse(window));
        return new LimitDecision(
                Rulings.limit(policy), true, new Standing(limit, 1, Rulings.RESET), 0, CounterState.UNTOUCHED);
    }

    @Test
    void times_are_rounded_up_to_whole_seconds() {
        assertThat(AnswerTimes.text(Rulings.RESET)).isEqualTo("2026-01-15T11:00:00Z");
        assertThat(AnswerTimes.text(Rulings.RESET + 1)).isEqualTo("2026-01-15T11:00:01Z");
        assertThat(AnswerTimes.seconds(0)).isZero();
        assertThat(AnswerTimes.seconds(-1)).isZero();
        assertThat(AnswerTimes.waitSeconds(0)).isEqualTo(1);
        assertThat(AnswerTimes.millis(1)).isEqualTo(1);
    }
}
