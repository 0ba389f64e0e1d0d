package io.meridian.limiter.api;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;

import io.meridian.limiter.caller.SigningKeys;
import io.meridian.limiter.decide.DecidedBy;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.specification.RequestSpecification;
import jakarta.inject.Inject;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
@TestProfile(WithFakeLimiter.AndToken.class)
class CallerTokenTest {
    private static final String TOKEN = WithFakeLimiter.AndToken.TOKEN;
    private static final String CHECK = "/api/v1/rate-limit/check";
    private static final String FORWARD_AUTH = "/api/v1/rate-limit/forward-auth";
    private static final String STATUS = "/api/v1/rate-limit/status";

    @Inject
    FakeLimiter limiter;

    @BeforeEach
    void forget() {
        limiter.reset();
    }

    private static RequestSpecification call() {
        return given().contentType("application/json").body("{}");
    }

    @Test
    void without_the_token_nobody_is_answered() {
        String body = call().post(CHECK)
                .then()
                .statusCode(401)
                .header("WWW-Authenticate", "Bearer")
                .contentType("application/problem+json")
                .body("type", equalTo("urn:meridian:problem:unauthenticated"))
                .extract()
                .asString();
        assertThat(body).doesNotContain(TOKEN);
        call().header("Authorization", "Bearer wrong").post(CHECK).then().statusCode(401);
        call().header("Authorization", TOKEN).post(CHECK).then().statusCode(401);
        call().header("Authorization", "Bearer " + TOKEN + "x")
                .post(CHECK)
                .then()
                .statusCode(401);
        call().header("X-Meridian-Token", "wrong").post(CHECK).then().statusCode(401);
        given().get("/api/v1/rate-limit/status").then().statusCode(401);
        given().get("/api/v1/nothing").then().statusCode(401);
        assertThat(limiter.asked()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "//api/v1/rate-limit/check",
                "/%61pi/v1/rate-limit/check",
                "/x/../api/v1/rate-limit/check",
                "/q/../api/v1/rate-limit/check",
                "/api;a=b/v1/rate-limit/check",
                "/api/v1/rate-limit/check/",
                "/API/v1/rate-limit/check"
            })
    void no_spelling_of_the_path_gets_around_it(String path) {
        call().urlEncodingEnabled(false).post(path);
        assertThat(limiter.asked()).isEmpty();
    }

    @Test
    void with_the_token_all_is_as_ever() {
        call().header("Authorization", "Bearer " + TOKEN).post(CHECK).then().statusCode(200);
        call().header("Authorization", "bearer " + TOKEN).post(CHECK).then().statusCode(200);
        call().header("X-Meridian-Token", TOKEN).post(CHECK).then().statusCode(200);
    }

    @Test
    void the_token_of_a_forwarded_request_is_its_users_own() {
        given().header("Authorization", "Bearer " + TOKEN)
                .get(FORWARD_AUTH)
                .then()
                .statusCode(401);
        given().header("Authorization", "Bearer opaque")
                .header("X-Meridian-Token", TOKEN)
                .get(FORWARD_AUTH)
                .then()
                .statusCode(200);
        assertThat(limiter.lastCheck().attributes()).containsEntry("api_key", "opaque");
        assertThat(limiter.lastCheck().headers()).doesNotContainKey("x-meridian-token");
    }

    @Test
    void the_limiters_own_token_is_not_the_clients_key() {
        given().header("Authorization", "Bearer " + TOKEN)
                .get(STATUS)
                .then()
                .statusCode(200)
                .body("client_id", equalTo("127.0.0.1"));
        assertThat(limiter.lastCheck().attributes()).isEqualTo(Map.of("ip", "127.0.0.1"));
        given().header("Authorization", "Bearer opaque")
                .header("X-Meridian-Token", TOKEN)
                .get(STATUS)
                .then()
                .statusCode(200)
                .body("client_id", equalTo("opaque"));
    }

    @Test
    void an_unverified_user_is_one_only_where_that_is_switched_on_and_every_answer_says_so() {
        String anybodys = "Bearer " + SigningKeys.ec("stranger", 5).token("alice");
        given().header("Authorization", anybodys)
                .header("X-Meridian-Token", TOKEN)
                .get(FORWARD_AUTH)
                .then()
                .statusCode(200)
                .header("X-RateLimit-Identity", "user_id=unverified_jwt");
        assertThat(limiter.lastCheck().attributes()).containsEntry("user_id", "alice");
        given().header("Authorization", anybodys)
                .header("X-Meridian-Token", TOKEN)
                .get(STATUS)
                .then()
                .statusCode(200)
                .body("client_id", equalTo("alice"), "identity.user_id", equalTo("unverified_jwt"));
        limiter.rule(Rulings.decided(DecidedBy.REGION, Rulings.refuses(Rulings.policy("p"), 1)));
        given().header("Authorization", anybodys)
                .header("X-Meridian-Token", TOKEN)
                .get(FORWARD_AUTH)
                .then()
                .statusCode(429)
                .header("X-RateLimit-Identity", "user_id=unverified_jwt")
                .body("identity.user_id", equalTo("unverified_jwt"));
    }

    @Test
    void health_is_for_everybody() {
        given().get("/q/health/live").then().statusCode(200);
    }

    @Test
    void the_older_draft_is_a_matter_of_configuration() {
        limiter.rule(Rulings.decided(
                DecidedBy.REGION, Rulings.admits(Rulings.policy("a"), 742), Rulings.admits(Rulings.policy("b"), 5)));
        call().header("X-Meridian-Token", TOKEN)
                .post(CHECK)
                .then()
                .statusCode(200)
                .header("RateLimit-Policy", "1000;w=3600, 1000;w=3600")
                .header("RateLimit", "limit=1000, remaining=5, reset=1800");
    }
}
