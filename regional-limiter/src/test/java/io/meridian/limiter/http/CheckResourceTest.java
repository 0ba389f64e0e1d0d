package io.meridian.limiter.http;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;

import io.meridian.limiter.decide.CheckResult;
import io.meridian.limiter.decide.CheckResult.DecidedBy;
import io.meridian.model.match.Check;
import io.meridian.model.policy.Enforcement.Action;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.ValidatableResponse;
import jakarta.inject.Inject;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@QuarkusTest
@TestProfile(WithFakeLimiter.class)
class CheckResourceTest {
    private static final String CHECK = """
            {"attributes": {"user_id": "42", "api_key": "k-1", "ip": "203.0.113.9", "tenant": "acme"},
             "endpoint": "/api/v1/users", "method": "get", "headers": {"X-Plan": "beta"}, "cost": 3}""";

    @Inject
    FakeLimiter limiter;

    @BeforeEach
    void forget() {
        limiter.reset();
    }

    private static ValidatableResponse check(String body) {
        return given().contentType("application/json")
                .body(body)
                .post("/api/v1/rate-limit/check")
                .then();
    }

    @Test
    void an_allowed_check_is_answered_to_the_letter_of_the_contract() {
        limiter.rule(Rulings.decided(DecidedBy.LEASE, Rulings.admits(Rulings.policy("api-default"), 742)));
        String body = check(CHECK)
                .statusCode(200)
                .contentType("application/json")
                .header("X-RateLimit-Limit", "1000")
                .header("X-RateLimit-Remaining", "742")
                .header("X-RateLimit-Reset", "1768474800")
                .header("X-RateLimit-Policy", "1000;w=3600")
                .header("RateLimit-Policy", "\"api-default\";q=1000;w=3600")
                .header("RateLimit", "\"api-default\";r=742;t=1800")
                .header("Retry-After", nullValue())
                .header("X-RateLimit-Degraded", nullValue())
                .extract()
                .asString();
        assertThat(body).isEqualTo("""
                        {"allowed":true,"policy":"api-default","limit":1000,"remaining":742,\
                        "reset_at":"2026-01-15T11:00:00Z","retry_after":null,"delay_ms":0,"warnings":[],"degraded":false,\
                        "region":"us-east","limits":[{"policy":"api-default","key":"api_key=k-1","allowed":true,\
                        "limit":1000,"remaining":742,"reset_at":"2026-01-15T11:00:00Z","shadow":false,\
                        "decided_by":"lease","bound":"exact","staleness_ms":0}]}""");
    }

    @Test
    void what_the_body_says_is_what_the_limiter_is_asked() {
        check(CHECK).statusCode(200);
        Check asked = limiter.lastCheck();
        assertThat(asked.attributes())
                .containsEntry("user_id", "42")
                .containsEntry("api_key", "k-1")
                .containsEntry("ip", "203.0.113.9")
                .containsEntry("tenant", "acme")
                .hasSize(4);
        assertThat(asked.segments()).containsExactly("api", "v1", "users");
        assertThat(asked.method()).isEqualTo("GET");
        assertThat(asked.headers()).containsEntry("x-plan", "beta").hasSize(1);
        assertThat(asked.cost()).isEqualTo(3);
        assertThat(limiter.asked()).containsExactly("check");
    }

    @Test
    void a_request_id_reaches_the_limiter() {
        check("{\"request_id\": \"r-1\"}").statusCode(200);
        assertThat(limiter.asked()).containsExactly("check r-1");
    }

    @Test
    void the_policies_that_a_check_names_reach_the_limiter() {
        check("{\"policies\": [\"api-default\", \"burst\"]}").statusCode(200);
        assertThat(limiter.lastCheck().policies()).containsExactly("api-default", "burst");
        check("{\"policies\": null}").statusCode(200);
        assertThat(limiter.lastCheck().policies()).isEmpty();
    }

    @Test
    void a_refusal_carries_the_upgrade_that_its_client_is_offered() {
        CheckResult.Decided refused = Rulings.decided(DecidedBy.REGION, Rulings.refuses(Rulings.policy("p"), 1));
        limiter.rule(new CheckResult.Decided(
                refused.decision(), refused.limits(), refused.nowMicros(), Optional.of("https://acme.test/plans")));
        String batch = "{\"checks\": [{}]}";

        check("{}").statusCode(429).body("upgrade_url", equalTo("https://acme.test/plans"), "status", equalTo(429));
        given().contentType("application/json")
                .body(batch)
                .post("/api/v1/rate-limit/check/batch")
                .then()
                .statusCode(200)
                .body("results[0].upgrade_url", equalTo("https://acme.test/plans"));
        limiter.rule(refused);
        assertThat(check("{}").statusCode(429).extract().asString()).doesNotContain("upgrade_url");
    }

    @Test
    void nothing_and_null_are_the_defaults() {
        check(
                        "{\"attributes\":null,\"endpoint\":null,\"method\":null,\"headers\":null,\"cost\":null,\"request_id\":null}")
                .statusCode(200);
        assertThat(limiter.lastCheck().cost()).isEqualTo(1);
        assertThat(limiter.asked()).containsExactly("check");
        check("{}").statusCode(200);
        check("{\"attributes\":{\"user_id\":null}}").statusCode(200);
        assertThat(limiter.lastCheck().attributes()).isEmpty();
    }

    @Test
    void without_a_policy_there_are_no_headers_and_nothing_to_report() {
        check("{}")
                .statusCode(200)
                .header("X-RateLimit-Limit", nullValue())
                .header("RateLimit", nullValue())
                .header("RateLimit-Policy", nullValue())
                .header("X-RateLimit-Policy", nullValue())
                .body("allowed", equalTo(true))
                .body("policy", nullValue())
                .body("limit", nullValue())
                .body("reset_at", nullValue())
                .body("limits.size()", equalTo(0));
    }

    @Test
    void a_denied_check_is_a_decision_and_a_problem() {
        limiter.rule(Rulings.decided(DecidedBy.REGION, Rulings.refuses(Rulings.policy("api-default"), 3_000_001)));
        check(CHECK)
                .statusCode(429)
                .contentType("application/problem+json")
                .header("Retry-After", "4")
                .header("X-RateLimit-Remaining", "0")
                .header("RateLimit", "\"api-default\";r=0;t=1800")
                .body("allowed", equalTo(false))
                .body("policy", equalTo("api-default"))
                .body("retry_after", equalTo(4))
                .body("limits[0].allowed", equalTo(false))
                .body("limits[0].decided_by", equalTo("region"))
                .body("type", equalTo("urn:meridian:problem:limit-exceeded"))
                .body("title", equalTo("The limit is exceeded"))
                .body("status", equalTo(429))
                .body("detail", equalTo("policy api-default allows 1000 per 1h; retry after 4 s"));
    }

    @Test
    void who_waits_waits_at_least_a_second() {
        limiter.rule(Rulings.decided(DecidedBy.REGION, Rulings.refuses(Rulings.policy("p"), 1)));
        check(CHECK).statusCode(429).header("Retry-After", "1").body("retry_after", equalTo(1));
    }

    @Test
    void a_cost_above_the_limit_is_not_told_to_come_again() {
        limiter.rule(Rulings.decided(DecidedBy.REGION, Rulings.refusesForGood(Rulings.policy("p"))));
        check(CHECK)
                .statusCode(429)
                .header("Retry-After", nullValue())
                .body("retry_after", nullValue())
                .body("detail", containsString("no waiting helps"));
    }

    @Test
    void a_throttled_check_is_told_its_delay() {
        var throttling = Rulings.with(Rulings.policy("p"), Action.THROTTLE, 0);
        limiter.rule(
                Rulings.decided(DecidedBy.REGION, Rulings.refuses(throttling, TimeUnit.MILLISECONDS.toMicros(250))));
        check(CHECK)
                .statusCode(429)
                .header("Retry-After", "1")
                .body("delay_ms", equalTo(250))
                .body("type", equalTo("urn:meridian:problem:throttled"));
    }

    @Test
    void a_paced_check_is_allowed_after_a_delay() {
        limiter.rule(Rulings.decided(DecidedBy.REGION, Rulings.admits(Rulings.policy("p"), 5, 1_001)));
        check(CHECK).statusCode(200).body("delay_ms", equalTo(2)).body("retry_after", nullValue());
    }

    @Test
    void soft_limits_and_shadows_warn() {
        var soft = Rulings.with(Rulings.policy("soft"), Action.REJECT, 80);
        var shadow = Rulings.with(Rulings.policy("shadow"), Action.LOG_ONLY, 0);
        limiter.rule(Rulings.decided(DecidedBy.REGION, Rulings.admits(soft, 170), Rulings.refuses(shadow, 5)));
        check(CHECK)
                .statusCode(200)
                .header("RateLimit-Policy", "\"soft\";q=1000;w=3600")
                .body("policy", equalTo("soft"))
                .body("limits[1].shadow", equalTo(true))
                .body("limits[1].allowed", equalTo(false))
                .body(
                        "warnings",
                        contains(
                                "policy soft has 83 % of its limit used",
                                "policy shadow would deny this request, but only logs"));
    }

    @Test
    void a_limit_in_the_shadow_alone_shows_in_no_header() {
        var shadow = Rulings.with(Rulings.policy("shadow"), Action.LOG_ONLY, 0);
        limiter.rule(Rulings.decided(DecidedBy.REGION, Rulings.admits(shadow, 5)));
        check(CHECK).statusCode(200).header("X-RateLimit-Limit", nullValue()).header("RateLimit", nullValue());
    }

    @Test
    void an_answer_of_the_fallback_says_so() {
        limiter.rule(Rulings.decided(DecidedBy.FALLBACK, Rulings.admits(Rulings.policy("p"), 5)));
        check(CHECK)
                .statusCode(200)
                .header("X-RateLimit-Degraded", "true")
                .body("degraded", equalTo(true))
                .body("limits[0].decided_by", equalTo("fallback"))
                .body("limits[0].bound", equalTo("none"));
    }

    @Test
    void a_client_on_the_deny_list_is_forbidden() {
        limiter.rule(new CheckResult.Listed("api_key", "k-1"));
        check(CHECK)
                .statusCode(403)
                .contentType("application/problem+json")
                .header("X-RateLimit-Limit", nullValue())
                .body("allowed", equalTo(false))
                .body("policy", nullValue())
                .body("limits.size()", equalTo(0))
                .body("type", equalTo("urn:meridian:problem:deny-listed"))
                .body("status", equalTo(403))
                .body("detail", equalTo("api_key=k-1 is on the deny list"));
    }

    @Test
    void what_fails_closed_and_cannot_be_decided_is_unavailable() {
        limiter.rule(new CheckResult.Undecided(Rulings.limit(Rulings.policy("payments"))));
        check(CHECK)
                .statusCode(503)
                .contentType("application/problem+json")
                .header("Retry-After", "1")
                .header("X-RateLimit-Degraded", "true")
                .body("allowed", equalTo(false))
                .body("policy", equalTo("payments"))
                .body("limit", equalTo(1000))
                .body("remaining", nullValue())
                .body("limits[0].policy", equalTo("payments"))
                .body("degraded", equalTo(true))
                .body("type", equalTo("urn:meridian:problem:undecided"));
    }

    @Test
    void a_limiter_that_fails_is_an_error_without_its_innards() {
        limiter.rule(check -> {
            throw new IllegalStateException("innards");
        });
        String body = check(CHECK)
                .statusCode(500)
                .contentType("application/problem+json")
                .extract()
                .asString();
        assertThat(body).doesNotContain("innards");
    }
}
