package io.meridian.limiter.http;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.emptyString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;

import io.meridian.limiter.caller.SigningKeys;
import io.meridian.limiter.decide.CheckResult;
import io.meridian.limiter.decide.CheckResult.DecidedBy;
import io.meridian.model.policy.Enforcement.Action;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.RestAssured;
import jakarta.inject.Inject;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jose4j.jwt.NumericDate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
@TestProfile(WithFakeLimiter.class)
class ForwardAuthTest {
    private static final String PATH = "/api/v1/rate-limit/forward-auth";
    private static final String STATUS = "/api/v1/rate-limit/status";

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

    private static String bearer(String token) {
        return "Bearer " + token;
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "PROPFIND"})
    void every_method_is_answered(String method) {
        limiter.rule(Rulings.decided(DecidedBy.LEASE, Rulings.admits(Rulings.policy("p"), 5)));
        given().request(method, PATH)
                .then()
                .statusCode(200)
                .header("X-RateLimit-Remaining", "5")
                .header("X-RateLimit-Policy", "1000;w=3600")
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

    @ParameterizedTest
    @ValueSource(strings = {"GET", "POST", "DELETE", "PROPFIND"})
    void an_appended_path_is_that_of_the_request_for_every_method(String method) {
        given().urlEncodingEnabled(false)
                .request(method, PATH + "/api/v1/users%20x?page=2")
                .then()
                .statusCode(200);
        assertThat(limiter.lastCheck().segments()).containsExactly("api", "v1", "users%20x");
        assertThat(limiter.lastCheck().method()).isEqualTo(method);

        given().header("X-Forwarded-Uri", "/said")
                .request(method, PATH + "/called")
                .then()
                .statusCode(200);
        assertThat(limiter.lastCheck().segments()).containsExactly("said");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/../check", "/../../../../q/health/live", "/a/%2e%2e/../%2E%2E/reset", "/..", "/x/../../status"
            })
    void an_appended_path_does_not_lead_out_of_forward_auth(String path) throws Exception {
        // Raw, because a client would resolve the dots by itself.
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), RestAssured.port)) {
            socket.getOutputStream()
                    .write(("POST " + PATH + path + " HTTP/1.0\r\nHost: x\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(answer).startsWith("HTTP/1.0 400").contains("must not lead out");
        }
    }

    @Test
    void the_user_of_a_verified_token_is_its_subject() {
        assertThat(attributes(Map.of("Authorization", bearer(WithFakeLimiter.ISSUER.token("user-7")))))
                .containsEntry("user_id", "user-7")
                .doesNotContainKey("api_key");
        assertThat(attributes(
                        Map.of("Authorization", bearer(WithFakeLimiter.ISSUER.token("user-7")), "X-API-Key", "k-1")))
                .containsEntry("user_id", "user-7")
                .containsEntry("api_key", "k-1");
    }

    @Test
    void a_forged_token_spends_nobodys_quota_and_is_no_key_of_its_own() {
        String unsigned = part("{\"alg\":\"none\"}") + "." + part("{\"sub\":\"victim\",\"exp\":9000000000}") + ".sig";
        String foreign = SigningKeys.ec("issuer", 666).token("victim");
        String expired = WithFakeLimiter.ISSUER.token(
                "victim", claims -> claims.setExpirationTime(NumericDate.fromSeconds(SigningKeys.PAST)));
        for (String forged : List.of(unsigned, foreign, expired)) {
            assertThat(attributes(Map.of("Authorization", bearer(forged)))).isEqualTo(Map.of("ip", "127.0.0.1"));
        }
    }

    private static String part(String json) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(json.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void a_token_that_is_no_jwt_is_a_key_unless_there_is_one() {
        assertThat(attributes(Map.of("Authorization", "bearer opaque-1"))).containsEntry("api_key", "opaque-1");
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
                "X-Forwarded-For|198.51.100.7, 203.0.113.9|203.0.113.9",
                "X-Forwarded-For|198.51.100.7, 203.0.113.9, 10.0.0.1|203.0.113.9",
                "X-Forwarded-For|198.51.100.7, unknown|127.0.0.1",
                "X-Forwarded-For|<script>|127.0.0.1",
                "Forwarded|for=198.51.100.7|127.0.0.1",
                "X-Other|1|127.0.0.1"
            })
    void the_address_is_what_trusted_proxies_say_counted_from_the_right(String header, String value, String address) {
        assertThat(attributes(Map.of(header, value))).containsEntry("ip", address);
    }

    @Test
    void a_line_that_the_client_sent_is_to_the_left_of_the_proxys() {
        given().header("X-Forwarded-For", "198.51.100.7", "203.0.113.9")
                .get(PATH)
                .then()
                .statusCode(200);
        assertThat(limiter.lastCheck().attributes()).containsEntry("ip", "203.0.113.9");
    }

    @Test
    void warnings_are_a_header_but_for_limits_in_the_shadow() {
        var past = Rulings.with(Rulings.policy("soft"), Action.REJECT, 80);
        var shadow = Rulings.with(Rulings.policy("watched"), Action.LOG_ONLY, 80);
        limiter.rule(Rulings.decided(DecidedBy.REGION, Rulings.admits(past, 100), Rulings.refuses(shadow, 1)));
        given().get(PATH)
                .then()
                .statusCode(200)
                .header("X-RateLimit-Warning", "policy soft has 90 % of its limit used")
                .header("X-RateLimit-Identity", nullValue());
        limiter.rule(Rulings.decided(DecidedBy.REGION, Rulings.admits(past, 900)));
        given().get(PATH).then().statusCode(200).header("X-RateLimit-Warning", nullValue());
    }

    @Test
    void a_refusal_says_by_what_the_caller_is_known() {
        limiter.rule(Rulings.decided(DecidedBy.REGION, Rulings.refuses(Rulings.policy("p"), 1)));
        given().header("Authorization", bearer(WithFakeLimiter.ISSUER.token("user-7")))
                .header("X-Forwarded-For", "203.0.113.9")
                .get(PATH)
                .then()
                .statusCode(429)
                .body("identity", equalTo(Map.of("user_id", "jwt", "ip", "forwarded")));
        given().header("Authorization", "Bearer opaque-1")
                .get(PATH)
                .then()
                .statusCode(429)
                .body("identity", equalTo(Map.of("api_key", "bearer_token", "ip", "peer")));
    }

    @Test
    void status_without_attributes_is_about_the_caller_itself() {
        limiter.rule(Rulings.decided(DecidedBy.REGION, Rulings.admits(Rulings.policy("p"), 5)));
        given().header("X-API-Key", "k-pro")
                .header("Authorization", bearer(WithFakeLimiter.ISSUER.token("user-7")))
                .header("X-Forwarded-For", "203.0.113.9")
                .get(STATUS + "?endpoint=/api/v1/users&method=GET&header.x-plan=beta")
                .then()
                .statusCode(200)
                .header("X-RateLimit-Remaining", "5")
                .body("client_id", equalTo("k-pro"), "tier", equalTo("pro"), "remaining", equalTo(5))
                .body("identity", equalTo(Map.of("api_key", "header", "user_id", "jwt", "ip", "forwarded")));
        assertThat(limiter.lastCheck().attributes())
                .isEqualTo(Map.of("api_key", "k-pro", "user_id", "user-7", "ip", "203.0.113.9"));
        assertThat(limiter.lastCheck().segments()).containsExactly("api", "v1", "users");
        assertThat(limiter.lastCheck().headers()).isEqualTo(Map.of("x-plan", "beta"));
        given().header("Authorization", bearer(WithFakeLimiter.ISSUER.token("user-7")))
                .get(STATUS)
                .then()
                .statusCode(200)
                .body("client_id", equalTo("user-7"), "tier", nullValue());
        given().get(STATUS).then().statusCode(200).body("client_id", equalTo("127.0.0.1"));
        assertThat(limiter.asked()).containsOnly("status");
        given().header("X-API-Key", "k-pro")
                .get(STATUS + "?user_id=somebody")
                .then()
                .statusCode(200)
                .body("client_id", nullValue(), "identity", nullValue());
        assertThat(limiter.lastCheck().attributes()).isEqualTo(Map.of("user_id", "somebody"));
    }

    @Test
    void a_caller_that_cannot_be_a_client_is_refused_by_name() {
        given().header("X-API-Key", "k".repeat(600))
                .get(STATUS)
                .then()
                .statusCode(422)
                .body("errors[0].field", equalTo("attributes.api_key"));
    }

    @Test
    void a_refusal_is_the_status_and_says_why() {
        limiter.rule(Rulings.decided(DecidedBy.REGION, Rulings.refuses(Rulings.policy("p"), 1)));
        given().get(PATH)
                .then()
                .statusCode(429)
                .header("Retry-After", "1")
                .header("X-RateLimit-Policy", "1000;w=3600")
                .contentType("application/problem+json")
                .body("policy", equalTo("p"));
        given().head(PATH).then().statusCode(429).header("Retry-After", "1").body(emptyString());
        limiter.rule(new CheckResult.Listed("ip", "127.0.0.1"));
        given().get(PATH).then().statusCode(403);
        limiter.rule(new CheckResult.Undecided(Rulings.limit(Rulings.policy("p"))));
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
