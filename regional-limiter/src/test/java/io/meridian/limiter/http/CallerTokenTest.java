package io.meridian.limiter.http;

import static io.meridian.testkit.Await.eventually;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;

import io.meridian.limiter.caller.SigningKeys;
import io.meridian.limiter.decide.CheckResult;
import io.meridian.limiter.decide.CheckResult.DecidedBy;
import io.meridian.limiter.http.RequestGate.CallScopes;
import io.meridian.limiter.http.WithFakeLimiter.AndTokens;
import io.meridian.limiter.operations.OperationTrail.Entry;
import io.meridian.limiter.operations.OperationTrail.Kind;
import io.meridian.model.access.TokenEntry;
import io.meridian.model.access.TokenEntry.TokenScope;
import io.meridian.model.access.TokenHash;
import io.meridian.model.validation.EnumNames;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import jakarta.inject.Inject;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
@TestProfile(WithFakeLimiter.AndTokens.class)
class CallerTokenTest {
    private static final String TOKEN = AndTokens.token(TokenScope.CHECK);
    private static final String CHECK = "/api/v1/rate-limit/check";
    private static final String RATE_LIMIT = "/api/v1/rate-limit";
    private static final String FORWARD_AUTH = "/api/v1/rate-limit/forward-auth";
    private static final String STATUS = "/api/v1/rate-limit/status";

    @Inject
    FakeLimiter limiter;

    @Inject
    FakeTrail trail;

    @Inject
    @ConfigProperty(name = "meridian.limiter.tokens.file")
    Path file;

    @BeforeEach
    void forget() {
        limiter.reset();
        trail.reset();
    }

    @AfterEach
    void mend() throws Exception {
        AndTokens.write(file, AndTokens.lines());
        awaitTokens(TokenScope.values().length);
        eventually("the file is in effect").until(() -> metrics().contains("meridian_limiter_tokens_refused 0.0"));
    }

    private static void awaitTokens(int count) throws Exception {
        eventually("the tokens are in effect")
                .until(() -> metrics().contains("meridian_limiter_tokens " + (double) count));
    }

    private static String metrics() {
        return given().get("/q/metrics").asString();
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
        call().header("X-Meridian-Token", "wrong")
                .post(CHECK)
                .then()
                .statusCode(401)
                .header("WWW-Authenticate", "Bearer error=\"invalid_token\"");
        call().header("X-Meridian-Token", TOKEN + "x".repeat(1_000))
                .post(CHECK)
                .then()
                .statusCode(401);
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

    /** Every call of the API and the one scope that it needs. */
    @ParameterizedTest
    @CsvSource({
        "POST, /rate-limit/check, CHECK",
        "POST, /rate-limit/check/batch, CHECK",
        "GET, /rate-limit/status, CHECK",
        "GET, /rate-limit/forward-auth, CHECK",
        "POST, /rate-limit/refund, OPERATE",
        "POST, /rate-limit/reset, OPERATE",
        "POST, /rate-limit/reservations, OPERATE",
        "POST, /rate-limit/reservations/r-1/commit, OPERATE",
        "DELETE, /rate-limit/reservations/r-1, OPERATE",
        "PUT, /load, LOAD"
    })
    void a_token_is_for_the_calls_of_its_scope_only(String method, String path, TokenScope needed) {
        for (TokenScope scope : TokenScope.values()) {
            limiter.reset();
            Response answer =
                    call().header("X-Meridian-Token", AndTokens.token(scope)).request(method, "/api/v1" + path);
            if (scope == needed) {
                assertThat(answer.statusCode()).as(scope + " " + path).isNotIn(401, 403);
            } else {
                answer.then()
                        .statusCode(403)
                        .contentType("application/problem+json")
                        .header("WWW-Authenticate", containsString("scope=\"" + EnumNames.text(needed) + "\""))
                        .body("type", equalTo("urn:meridian:problem:forbidden"))
                        .body("detail", containsString("the token " + AndTokens.name(scope)));
                assertThat(limiter.asked()).isEmpty();
            }
        }
    }

    @Test
    void every_path_of_the_api_needs_a_scope_of_its_own() {
        Set<String> paths = given().queryParam("format", "json")
                .get("/q/openapi")
                .<Map<String, Object>>path("paths")
                .keySet();

        assertThat(paths).hasSizeGreaterThanOrEqualTo(9);
        assertThat(paths).allSatisfy(path -> assertThat(CallScopes.of(path)).hasSize(1));
        assertThat(CallScopes.of("/api/v1/nothing")).containsExactlyInAnyOrder(TokenScope.values());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "//api/v1/rate-limit/reset",
                "/api/v1//rate-limit/reset",
                "/api/v1/rate-limit/%72eset",
                "/api/v1/rate-limit/check/../reset",
                "/api/v1/rate-limit/reset/",
                "/api/v1/rate-limit/reset;a=b",
                "/api/v1/rate-limit;a=b/reset",
                "/api/v1/rate-limit/check/%2e%2e/reset",
                "/api/v1/rate-limit/check/..%2freset",
                "/api/v1/rate-limit/forward-auth/../reset",
                "/api/v1/rate-limit/RESET"
            })
    void no_spelling_of_a_path_gets_around_its_scope(String path) {
        call().urlEncodingEnabled(false).header("X-Meridian-Token", TOKEN).post(path);

        assertThat(limiter.asked()).isEmpty();
    }

    @Test
    void refused_calls_are_counted_by_reason_and_token() {
        double before = refused("missing_scope", AndTokens.name(TokenScope.LOAD));
        double nameless = refused("no_token", "none");
        call().header("X-Meridian-Token", AndTokens.token(TokenScope.LOAD)).post(CHECK);
        call().post(CHECK);

        assertThat(refused("missing_scope", AndTokens.name(TokenScope.LOAD))).isEqualTo(before + 1);
        assertThat(refused("no_token", "none")).isEqualTo(nameless + 1);
        assertThat(metrics()).doesNotContain("mrd_").doesNotContain("token=\"self\"");
    }

    private static double refused(String reason, String token) {
        return metrics()
                .lines()
                .filter(line -> line.startsWith(
                        "meridian_limiter_calls_refused_total{reason=\"" + reason + "\",token=\"" + token + "\""))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .findFirst()
                .orElse(Double.NaN);
    }

    @Test
    void a_changed_file_is_in_effect_without_a_restart_and_a_wrong_one_changes_nothing() throws Exception {
        String other = "mrd_another-token";
        String line = new TokenEntry("other", Set.of(TokenScope.CHECK), TokenHash.of(other)).line();
        call().header("X-Meridian-Token", other).post(CHECK).then().statusCode(401);

        AndTokens.write(file, AndTokens.lines() + line + "\n");
        awaitTokens(4);
        call().header("X-Meridian-Token", other).post(CHECK).then().statusCode(200);

        AndTokens.write(file, "other check " + other + "\n");
        eventually("it is refused").until(() -> metrics().contains("meridian_limiter_tokens_refused 1.0"));
        call().header("X-Meridian-Token", other).post(CHECK).then().statusCode(200);
        call().header("X-Meridian-Token", TOKEN).post(CHECK).then().statusCode(200);

        AndTokens.write(file, line + "\n");
        awaitTokens(1);
        call().header("X-Meridian-Token", other).post(CHECK).then().statusCode(200);
        call().header("X-Meridian-Token", TOKEN).post(CHECK).then().statusCode(401);
        assertThat(refused("missing_scope", AndTokens.name(TokenScope.LOAD))).isNaN();
    }

    @Test
    void resets_and_refunds_are_told_with_the_name_of_the_token_and_checks_are_not() {
        String operator = AndTokens.token(TokenScope.OPERATE);
        limiter.rule(Rulings.decided(DecidedBy.REGION, Rulings.admits(Rulings.policy("a"), 742)));
        call().header("X-Meridian-Token", TOKEN).post(CHECK).then().statusCode(200);
        given().contentType("application/json")
                .header("Authorization", "Bearer " + operator)
                .body("{\"attributes\": {\"api_key\": \"k\"}, \"cost\": 3, \"request_id\": \"r-1\"}")
                .post(RATE_LIMIT + "/refund")
                .then()
                .statusCode(200);
        call().header("X-Meridian-Token", operator)
                .post(RATE_LIMIT + "/reset")
                .then()
                .statusCode(200);

        assertThat(trail.operations()).extracting(Entry::kind).containsExactly(Kind.REFUND, Kind.RESET);
        assertThat(trail.operations()).extracting(Entry::caller).containsOnly(AndTokens.name(TokenScope.OPERATE));
        Entry refund = trail.operations().get(0);
        assertThat(refund.requestId()).isEqualTo("r-1");
        assertThat(refund.check().cost()).isEqualTo(3);
        assertThat(refund.ruling()).isInstanceOf(CheckResult.Decided.class);
        assertThat(trail.operations().get(1).requestId()).isNull();
    }

    @Test
    void an_operation_that_fails_is_told_and_one_that_is_refused_is_not() {
        String operator = AndTokens.token(TokenScope.OPERATE);
        limiter.fail();
        call().header("X-Meridian-Token", operator)
                .post(RATE_LIMIT + "/reset")
                .then()
                .statusCode(500);
        call().header("X-Meridian-Token", TOKEN)
                .post(RATE_LIMIT + "/reset")
                .then()
                .statusCode(403);

        assertThat(trail.operations()).hasSize(1);
        assertThat(trail.operations().get(0).ruling()).isNull();
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
