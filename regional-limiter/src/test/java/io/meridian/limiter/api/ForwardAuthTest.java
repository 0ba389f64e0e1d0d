package io.meridian.limiter.api;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.emptyString;
import static org.hamcrest.Matchers.equalTo;

import io.meridian.limiter.decide.DecidedBy;
import io.meridian.limiter.decide.Ruling;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
@TestProfile(WithFakeLimiter.class)
class ForwardAuthTest {
    private static final String PATH = "/api/v1/rate-limit/forward-auth";

    @Inject
    FakeLimiter limiter;

    @BeforeEach
    void forget() {
        limiter.reset();
    }

    private Map<String, String> attributes(Map<String, String> headers) {
        given().headers(headers).get(PATH).then().statusCode(200);
        return limiter.lastCheck().attributes();
    }

    private static String jwt(String payload) {
        Base64.Encoder encoder = Base64.getUrlEncoder().withoutPadding();
        return "Bearer " + encoder.encodeToString("{\"alg\":\"none\"}".getBytes(StandardCharsets.UTF_8)) + "."
                + encoder.encodeToString(payload.getBytes(StandardCharsets.UTF_8)) + ".sig";
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "PROPFIND"})
    void every_method_is_answered(String method) {
        limiter.rule(Rulings.decided(DecidedBy.LEASE, Rulings.admits(Rulings.policy("p"), 5)));
        given().request(method, PATH)
                .then()
                .statusCode(200)
                .header("X-RateLimit-Remaining", "5")
                .body(emptyString());
        assertThat(limiter.lastCheck().method()).isEqualTo(method);
    }

    @Test
    void what_was_forwarded_is_what_is_checked() {
        given().header("X-API-Key", "k-1")
                .header("X-Forwarded-For", "203.0.113.9, 10.0.0.1")
                .header("X-Forwarded-Uri", "/api/v1/users?page=2")
                .header("X-Forwarded-Method", "patch")
                .header("X-Plan", "beta")
                .header("Cookie", "session=1")
                .body("anything, of any type")
                .post(PATH)
                .then()
                .statusCode(200);
        assertThat(limiter.lastCheck().attributes()).isEqualTo(Map.of("api_key", "k-1", "ip", "203.0.113.9"));
        assertThat(limiter.lastCheck().segments()).containsExactly("api", "v1", "users");
        assertThat(limiter.lastCheck().method()).isEqualTo("PATCH");
        assertThat(limiter.lastCheck().headers())
                .containsEntry("x-plan", "beta")
                .doesNotContainKeys("cookie", "authorization", "x-api-key");
    }

    @Test
    void the_user_of_a_token_is_its_subject() {
        assertThat(attributes(Map.of("Authorization", jwt("{\"iss\":{\"a\":[1]},\"sub\":\"user-7\",\"exp\":1}"))))
                .containsEntry("user_id", "user-7")
                .doesNotContainKey("api_key");
    }

    @Test
    void a_token_without_a_subject_is_a_key_unless_there_is_one() {
        assertThat(attributes(Map.of("Authorization", "bearer opaque-1"))).containsEntry("api_key", "opaque-1");
        assertThat(attributes(Map.of("Authorization", jwt("{\"sub\":5}")))).containsKey("api_key");
        assertThat(attributes(Map.of("Authorization", jwt("not json")))).containsKey("api_key");
        assertThat(attributes(Map.of("Authorization", "Bearer a.$$.c"))).containsEntry("api_key", "a.$$.c");
        assertThat(attributes(Map.of("Authorization", "Bearer opaque-1", "X-API-Key", "k-1")))
                .containsEntry("api_key", "k-1");
        assertThat(attributes(Map.of("Authorization", "Basic dTpw"))).doesNotContainKeys("api_key", "user_id");
        assertThat(attributes(Map.of("Authorization", "Bearer " + "x".repeat(600)))
                        .get("api_key"))
                .startsWith("sha256:")
                .hasSize(71);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "X-Forwarded-For|203.0.113.9:4711|203.0.113.9",
                "X-Forwarded-For|[2001:db8::1]:4711|2001:db8::1",
                "X-Forwarded-For|2001:DB8:0:0::1|2001:db8::1",
                "X-Forwarded-For|unknown, 10.0.0.1|127.0.0.1",
                "X-Forwarded-For|<script>|127.0.0.1",
                "Forwarded|proto=https;For=\"[2001:db8::1]:4711\";by=10.0.0.1, for=10.0.0.2|2001:db8::1",
                "Forwarded|for=198.51.100.7|198.51.100.7",
                "Forwarded|for=_hidden|127.0.0.1",
                "X-Other|1|127.0.0.1"
            })
    void the_address_is_the_first_hop_or_else_the_peer(String header, String value, String address) {
        assertThat(attributes(Map.of(header, value))).containsEntry("ip", address);
    }

    @Test
    void a_refusal_is_the_status_and_says_why() {
        limiter.rule(Rulings.decided(DecidedBy.REGION, Rulings.refuses(Rulings.policy("p"), 1)));
        given().get(PATH)
                .then()
                .statusCode(429)
                .header("Retry-After", "1")
                .contentType("application/problem+json")
                .body("policy", equalTo("p"));
        given().head(PATH).then().statusCode(429).header("Retry-After", "1").body(emptyString());
        limiter.rule(new Ruling.Listed("ip", "127.0.0.1"));
        given().get(PATH).then().statusCode(403);
        limiter.rule(new Ruling.Undecided(Rulings.limit(Rulings.policy("p"))));
        given().get(PATH).then().statusCode(503);
    }

    @Test
    void what_cannot_be_a_check_is_refused_by_name() {
        given().header("X-API-Key", "k".repeat(600))
                .get(PATH)
                .then()
                .statusCode(422)
                .contentType("application/problem+json")
                .body("errors[0].field", equalTo("attributes.api_key"));
        given().header("X-Forwarded-Method", "M".repeat(40)).get(PATH).then().statusCode(422);
    }

    @Test
    void a_limiter_that_fails_is_an_error_here_too() {
        limiter.rule(check -> {
            throw new IllegalStateException("innards");
        });
        given().get(PATH).then().statusCode(500).contentType("application/problem+json");
    }
}
