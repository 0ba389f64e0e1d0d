package io.meridian.limiter;

import static io.meridian.testkit.Await.eventually;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;

import io.meridian.limiter.redis.RedisUnderTestResource;
import io.meridian.model.access.TokenEntry;
import io.meridian.model.access.TokenEntry.TokenScope;
import io.meridian.model.access.TokenHash;
import io.meridian.model.access.TokenText;
import io.meridian.testkit.servers.RedisUnderTest;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.restassured.RestAssured;
import io.restassured.builder.RequestSpecBuilder;
import io.restassured.config.HeaderConfig;
import io.restassured.config.RestAssuredConfig;
import io.restassured.response.ValidatableResponse;
import io.restassured.specification.RequestSpecification;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The whole service as its callers see it, on a real Redis, each capability once. Every test has clients of its own. */
@QuarkusTest
@WithTestResource(RedisUnderTestResource.class)
@TestProfile(JourneyTest.Policies.class)
@Timeout(300)
class JourneyTest {
    public static class Policies implements QuarkusTestProfile {
        @Override
        public Map<String, String> getConfigOverrides() {
            String file =
                    Path.of("src/test/resources/journey.yaml").toAbsolutePath().toString();
            return Map.of(
                    "meridian.limiter.policies.file",
                    file,
                    "meridian.limiter.tokens.list",
                    OF_ALL.line() + "\n" + OF_CHECKS.line() + "\n" + OF_LOADS.line(),
                    // There is no Kafka, and so no centre to be heard.
                    "meridian.limiter.usage.cut-off-after",
                    "1ms",
                    "meridian.limiter.decision-log.sample",
                    "1",
                    "meridian.limiter.decision-log.records-per-second",
                    "10000",
                    "quarkus.log.category.\"meridian.decisions\".use-parent-handlers",
                    "false");
        }
    }

    static final String ALL = TokenText.of(new byte[TokenText.RANDOM_BYTES]);
    private static final TokenEntry OF_ALL = new TokenEntry("all", Set.of(TokenScope.values()), TokenHash.of(ALL));
    static final String CHECKS = ALL + "-of-checks";
    private static final TokenEntry OF_CHECKS =
            new TokenEntry("checks", Set.of(TokenScope.CHECK), TokenHash.of(CHECKS));
    static final String LOADS = ALL + "-of-loads";
    private static final TokenEntry OF_LOADS = new TokenEntry("loads", Set.of(TokenScope.LOAD), TokenHash.of(LOADS));
    private static final int CALLS_OF_ALL_LOOPS = 64;

    @SuppressWarnings("NullAway.Init") // by the resource
    RedisUnderTest redis;

    /** What every call presents that presents nothing else. */
    @BeforeEach
    void present_a_token_with_all_scopes() {
        RestAssured.requestSpecification = new RequestSpecBuilder()
                .addHeader("Authorization", "Bearer " + ALL)
                .build();
    }

    @AfterEach
    void present_nothing() {
        RestAssured.requestSpecification = null;
    }

    @Test
    void a_token_for_checks_gets_no_quota_back() {
        String body = "{\"attributes\": {\"user_id\": \"ned\"}, \"endpoint\": \"/users\", \"cost\": 10}";
        withTokenForChecks(body).post("/api/v1/rate-limit/check").then().statusCode(200);
        withTokenForChecks(body).post("/api/v1/rate-limit/check").then().statusCode(429);

        for (String path : List.of("/reset", "/refund", "/reservations")) {
            withTokenForChecks(body)
                    .post("/api/v1/rate-limit" + path)
                    .then()
                    .statusCode(403)
                    .body("type", equalTo("urn:meridian:problem:forbidden"));
        }

        withTokenForChecks(body).post("/api/v1/rate-limit/check").then().statusCode(429);
        call("/reset", "ned", "/users", 1).statusCode(200).body("remaining", equalTo(10));
    }

    private static RequestSpecification withTokenForChecks(String body) {
        return given().header("X-Meridian-Token", CHECKS)
                .contentType("application/json")
                .body(body);
    }

    @Test
    void a_limit_counts_down_warns_and_refuses_with_the_time_to_wait() {
        for (int left = 9; left >= 0; left--) {
            check("ann", "/users", 1).statusCode(200).body("remaining", equalTo(left), "degraded", equalTo(false));
        }
        check("ann", "/users", 1)
                .statusCode(429)
                .body("allowed", equalTo(false), "policy", equalTo("user"), "status", equalTo(429))
                .body("retry_after", greaterThan(0), "warnings", not(empty()), "limits[0].bound", equalTo("exact"));
    }

    @Test
    void a_check_that_one_limit_refuses_leaves_the_other_as_it_was() {
        check("ben", "/shared", 1).statusCode(200);
        check("ben", "/shared", 1).statusCode(200);
        for (int i = 0; i < 20; i++) {
            check("ben", "/shared", 1).statusCode(429).body("policy", equalTo("narrow"));
        }
        assertThat(standing("ben", "/shared", "tenant")).isEqualTo(98);
    }

    @Test
    void an_endpoint_may_cost_more_and_a_request_names_its_own_cost() {
        check("cid", "/users/export", 1).statusCode(200).body("remaining", equalTo(5));
        check("cid", "/users/export", 2).statusCode(429).body("remaining", equalTo(5));
        check("cid", "/users/export", 1).statusCode(200).body("remaining", equalTo(0));
    }

    @Test
    void a_bucket_holds_its_burst_and_a_queue_paces() {
        check("dan", "/burst", 7).statusCode(200).body("limit", equalTo(7), "remaining", equalTo(0));
        check("dan", "/paced", 1).statusCode(200).body("delay_ms", equalTo(0));
        check("dan", "/paced", 1).statusCode(200).body("delay_ms", greaterThan(86_000_000));
    }

    @Test
    void throttled_requests_are_told_the_delay_and_shadows_never_refuse() {
        check("eve", "/throttled", 1).statusCode(200);
        check("eve", "/throttled", 1).statusCode(429).body("delay_ms", greaterThan(0));
        check("eve", "/watched", 1).statusCode(200);
        check("eve", "/watched", 1)
                .statusCode(200)
                .body("limits[0].allowed", equalTo(false), "limits[0].shadow", equalTo(true));
    }

    @Test
    void a_check_is_held_against_the_policies_that_it_names_and_no_others() {
        String named = "{\"attributes\": {\"user_id\": \"zoe\", \"tenant\": \"zoes\"}, \"endpoint\": \"/shared\","
                + " \"policies\": [%s]}";
        for (int i = 0; i < 3; i++) {
            post("/check", named.formatted("\"tenant\""))
                    .statusCode(200)
                    .body("limits.policy", equalTo(List.of("tenant")));
        }
        post("/check", named.formatted("\"tenant\", \"narrow\""))
                .statusCode(200)
                .body("policy", equalTo("narrow"), "limits.policy", containsInAnyOrder("tenant", "narrow"));
        post("/refund", named.formatted("\"tenant\"")).statusCode(200).body("remaining", equalTo(97));
        post("/check", named.formatted("\"paced\"")).statusCode(200).body("policy", nullValue(), "limits", empty());
    }

    @Test
    void a_named_policy_that_does_not_exist_is_refused_by_name() {
        String misspelt = "{\"attributes\": {\"user_id\": \"zac\"}, \"policies\": [\"user\", \"usr\"]%s}";
        for (String body : List.of(misspelt.formatted(""), misspelt.formatted(", \"request_id\": \"z-1\""))) {
            post("/check", body)
                    .statusCode(422)
                    .body("errors[0].field", equalTo("policies[1]"), "errors[0].value", equalTo("usr"));
        }
        post("/refund", misspelt.formatted("")).statusCode(422);
        post("/reservations", misspelt.formatted("")).statusCode(422);
        post("/check/batch", "{\"checks\": [{}, " + misspelt.formatted("") + "]}")
                .statusCode(200)
                .body("results.status", equalTo(List.of(200, 422)))
                .body("results[1].errors[0].field", equalTo("checks[1].policies[1]"));
    }

    @Test
    void a_client_that_is_refused_is_told_where_its_tier_can_be_upgraded() {
        String free = "{\"attributes\": {\"user_id\": \"uma\"}, \"endpoint\": \"/throttled\", \"request_id\": \"%s\"}";
        post("/check", free.formatted("u-1")).statusCode(200).body("upgrade_url", nullValue());
        for (int i = 0; i < 2; i++) {
            post("/check", free.formatted("u-2"))
                    .statusCode(429)
                    .body("upgrade_url", equalTo("https://acme.test/plans"));
        }
        check("paul", "/tiered", 8).statusCode(429).body("upgrade_url", nullValue());
    }

    @Test
    void tiers_overrides_and_lists_choose_what_applies() {
        check("fay", "/tiered", 1).statusCode(200).body("policy", nullValue());
        check("paul", "/tiered", 1).statusCode(200).body("limit", equalTo(7));
        check("olga", "/users", 1).statusCode(200).body("limit", equalTo(50));
        check("alice", "/users", 1_000).statusCode(200).body("policy", nullValue());
        given().contentType("application/json")
                .body("{\"attributes\": {\"user_id\": \"alice\", \"ip\": \"192.0.2.7\"}, \"endpoint\": \"/users\"}")
                .post("/api/v1/rate-limit/check")
                .then()
                .statusCode(403)
                .body("allowed", equalTo(false));
    }

    @Test
    void limits_follow_the_reported_load() {
        check("gil", "/adaptive", 1).statusCode(200);
        given().contentType("application/json")
                .body("{\"load_percent\": 97}")
                .put("/api/v1/load")
                .then()
                .statusCode(200);
        check("gil", "/adaptive", 1).statusCode(200).body("limit", equalTo(50), "remaining", equalTo(48));
    }

    @Test
    void status_consumes_nothing_refund_gives_back_and_reset_forgets() {
        check("hal", "/users", 4).statusCode(200);
        assertThat(standing("hal", "/users", "user")).isEqualTo(6);
        assertThat(standing("hal", "/users", "user")).isEqualTo(6);
        call("/refund", "hal", "/users", 3).statusCode(200).body("remaining", equalTo(9));
        call("/reset", "hal", "/users", 1).statusCode(200).body("remaining", equalTo(10));
    }

    @Test
    void a_reservation_is_committed_cancelled_or_lapses() throws Exception {
        String committed = reserve("ida", 5, 600_000);
        given().contentType("application/json")
                .body("{\"cost\": 2}")
                .post("/api/v1/rate-limit/reservations/" + committed + "/commit")
                .then()
                .statusCode(200)
                .body("remaining", equalTo(8));
        given().delete("/api/v1/rate-limit/reservations/" + committed).then().statusCode(404);
        String cancelled = reserve("ida", 5, 600_000);
        given().delete("/api/v1/rate-limit/reservations/" + cancelled)
                .then()
                .statusCode(200)
                .body("remaining", equalTo(8));
        reserve("ida", 8, 1);
        eventually("the lapsed reservation is given back").until(() -> standing("ida", "/users", "user") == 8);
    }

    @Test
    void a_client_lease_is_spent_from_a_share_of_what_remains_and_returned_once() {
        String id = lease("lea", "/leased", 100)
                .statusCode(201)
                .body("units", equalTo(63), "bound", equalTo("exact"), "unit_costs.leased", equalTo(1))
                .extract()
                .path("lease_id");
        assertThat(standing("lea", "/leased", "leased")).isEqualTo(937);
        post("/leases/" + id + "/return", "{\"units\": 64}").statusCode(422);
        post("/leases/" + id + "/return", "{\"units\": 60}").statusCode(200).body("remaining", equalTo(997));
        post("/leases/" + id + "/return", "{\"units\": 1}").statusCode(404);
        lease("lea", "/paced", 10)
                .statusCode(422)
                .body("type", equalTo("urn:meridian:problem:not-leasable"), "errors[0].value", equalTo("paced"));
        lease("alice", "/leased", 10).statusCode(201).body("units", equalTo(10), "bound", equalTo("none"));
        check("len", "/users", 10).statusCode(200);
        lease("len", "/users", 10).statusCode(429).body("policy", equalTo("user"));
    }

    @Test
    void a_client_lease_of_a_global_limit_is_taken_from_the_account_of_the_region() {
        String id = lease("gil", "/world-leased", 100)
                .statusCode(201)
                .body("units", equalTo(63), "bound", equalTo("converge"), "limits[0].decided_by", equalTo("global"))
                .extract()
                .path("lease_id");
        assertThat(standing("gil", "/world-leased", "world-leased")).isEqualTo(937);
        post("/leases/" + id + "/return", "{\"units\": 62}").statusCode(200).body("remaining", equalTo(999));

        // The region is cut off and may overdraw its grant by two units.
        lease("gus", "/overdrawn", 100).statusCode(201).body("units", equalTo(1), "bound", equalTo("escrow"));
        lease("gus", "/overdrawn", 100).statusCode(201).body("units", equalTo(1));
        lease("gus", "/overdrawn", 100).statusCode(429);
    }

    private static ValidatableResponse lease(String user, String endpoint, int units) {
        return post(
                "/leases",
                "{\"attributes\": {\"user_id\": \"%s\"}, \"endpoint\": \"%s\", \"units\": %d}"
                        .formatted(user, endpoint, units));
    }

    @Test
    void a_reservation_that_cannot_be_looked_up_is_a_declared_503_and_a_check_goes_on() throws Exception {
        String id = reserve("pia", 5, 600_000);
        redis.kill();
        given().delete("/api/v1/rate-limit/reservations/" + id)
                .then()
                .statusCode(503)
                .body("type", equalTo("urn:meridian:problem:region-away"));
        lease("pia", "/users", 5).statusCode(503).body("type", equalTo("urn:meridian:problem:region-away"));
        check("pia", "/users", 1).statusCode(200).body("degraded", equalTo(true));
        redis.restart();
        // Each event loop has a connection of its own, and calls go to all of them in turn: other tests need them all
        // back.
        eventually("Redis decides again, whichever event loop is asked")
                .until(() -> IntStream.range(0, CALLS_OF_ALL_LOOPS)
                        .noneMatch(i -> check("pia", "/users", 0).extract().<Boolean>path("degraded")));
    }

    @Test
    void a_repeated_request_id_is_answered_again_and_charged_once() {
        for (int i = 0; i < 5; i++) {
            given().contentType("application/json")
                    .body("{\"attributes\": {\"user_id\": \"jon\"}, \"endpoint\": \"/users\", \"request_id\": \"r-1\"}")
                    .post("/api/v1/rate-limit/check")
                    .then()
                    .statusCode(200)
                    .body("remaining", equalTo(9));
        }
        assertThat(standing("jon", "/users", "user")).isEqualTo(9);
    }

    @Test
    void a_request_id_answers_no_other_check_alone_or_in_a_batch() {
        String cheap = "{\"attributes\": {\"user_id\": \"jim\"}, \"endpoint\": \"/users\", \"request_id\": \"r-2\"}";
        String dear = cheap.replace("}, ", "}, \"cost\": 9, ");
        given().contentType("application/json")
                .body(cheap)
                .post("/api/v1/rate-limit/check")
                .then()
                .statusCode(200);

        given().contentType("application/json")
                .body(dear)
                .post("/api/v1/rate-limit/check")
                .then()
                .statusCode(422)
                .body("type", equalTo("urn:meridian:problem:invalid"))
                .body("errors[0].field", equalTo("request_id"), "errors[0].value", equalTo("r-2"));
        given().contentType("application/json")
                .body("{\"checks\": [" + cheap + ", " + dear + "]}")
                .post("/api/v1/rate-limit/check/batch")
                .then()
                .statusCode(200)
                .body("results.status", equalTo(List.of(200, 422)))
                .body("results[1].errors[0].field", equalTo("checks[1].request_id"));
        assertThat(standing("jim", "/users", "user")).isEqualTo(9);
    }

    @Test
    void by_default_a_client_can_take_neither_anothers_address_nor_ever_new_ones() {
        for (int i = 0; i < 2; i++) {
            gate("/gate", Map.of("X-Forwarded-For", "198.51.100." + i)).statusCode(200);
        }
        gate("/gate", Map.of("X-Forwarded-For", "198.51.100.3")).statusCode(429);
        gate("/gate", Map.of("Forwarded", "for=198.51.100.4")).statusCode(429);
        gate("/users", Map.of("X-Forwarded-For", "192.0.2.1")).statusCode(200);
    }

    @Test
    void by_default_a_forged_token_spends_nobodys_quota() {
        String forged = "eyJhbGciOiJub25lIn0." // {"alg":"none"}
                + "eyJzdWIiOiJ2aWN0aW0ifQ." // {"sub":"victim"}
                + "c2ln";
        for (int i = 0; i < 11; i++) {
            gate("/users", Map.of("Authorization", "Bearer " + forged)).statusCode(200);
        }
        assertThat(standing("victim", "/users", "user")).isEqualTo(10);
    }

    @Test
    void a_client_asks_how_it_stands_itself() {
        given().header("X-API-Key", "k-pro")
                .queryParam("endpoint", "/own")
                .get("/api/v1/rate-limit/status")
                .then()
                .statusCode(200)
                .body("client_id", equalTo("k-pro"), "tier", equalTo("pro"))
                .body("limits.policy", equalTo(List.of("own")), "remaining", equalTo(3));
        given().get("/api/v1/rate-limit/status")
                .then()
                .statusCode(200)
                .body("client_id", equalTo("127.0.0.1"), "tier", equalTo("free"));
    }

    private static ValidatableResponse gate(String uri, Map<String, String> headers) {
        return given().config(RestAssuredConfig.config()
                        .headerConfig(HeaderConfig.headerConfig().overwriteHeadersWithName("Authorization")))
                .headers(headers)
                .header("X-Meridian-Token", ALL)
                .header("X-Forwarded-Uri", uri)
                .get("/api/v1/rate-limit/forward-auth")
                .then();
    }

    @Test
    void a_batch_is_answered_in_order_each_for_itself() {
        String one = "{\"attributes\": {\"user_id\": \"kim\", \"tenant\": \"kims\"}, \"endpoint\": \"/shared\"}";
        given().contentType("application/json")
                .body("{\"checks\": [" + one + ", " + one + ", " + one + ", {\"cost\": -1}]}")
                .post("/api/v1/rate-limit/check/batch")
                .then()
                .statusCode(200)
                .body("results.status", equalTo(List.of(200, 200, 429, 422)));
    }

    @Test
    void a_global_policy_says_that_it_converges_and_what_it_may_admit_at_most() {
        check("lea", "/world", 1)
                .statusCode(200)
                .body(
                        "remaining",
                        equalTo(4),
                        "limits[0].bound",
                        equalTo("converge"),
                        "limits[0].decided_by",
                        equalTo("global"),
                        "limits[0].bound_units",
                        equalTo(5));
    }

    @Test
    void a_region_that_does_not_hear_the_centre_overdraws_by_what_its_policy_says() {
        check("eve", "/overdrawn", 1).statusCode(200);
        check("eve", "/overdrawn", 1).statusCode(200);
        check("eve", "/overdrawn", 1).statusCode(429);
    }

    @Test
    void decisions_are_logged_with_the_address_they_came_from() throws Exception {
        List<String> lines = new CopyOnWriteArrayList<>();
        Logger log = Logger.getLogger("meridian.decisions");
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord line) {
                lines.add(line.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        log.addHandler(handler);
        try {
            String body =
                    "{\"attributes\": {\"user_id\": \"ivy\", \"ip\": \"198.51.100.7\"}, \"endpoint\": \"/throttled\"}";
            post("/check", body).statusCode(200);
            post("/check", body).statusCode(429);
            eventually("both decisions are in the log")
                    .until(() -> List.of("allowed", "throttled").stream().allMatch(outcome -> lines.stream()
                            .anyMatch(line -> line.contains("\"outcome\":\"" + outcome + "\"")
                                    && line.contains("\"key\":\"user_id=ivy\"")
                                    && line.contains("\"ip\":\"198.51.100.7\""))));
        } finally {
            log.removeHandler(handler);
        }
    }

    @Test
    void what_was_decided_is_counted() {
        check("max", "/users", 1).statusCode(200);
        given().get("/q/metrics").then().statusCode(200).body(containsString("meridian_limiter_checks_total"));
    }

    private static ValidatableResponse check(String user, String endpoint, int cost) {
        return call("/check", user, endpoint, cost);
    }

    private static ValidatableResponse call(String path, String user, String endpoint, int cost) {
        return given().contentType("application/json")
                .body(
                        "{\"attributes\": {\"user_id\": \"%s\", \"tenant\": \"of-%s\"}, \"endpoint\": \"%s\", \"cost\": %d}"
                                .formatted(user, user, endpoint, cost))
                .post("/api/v1/rate-limit" + path)
                .then();
    }

    private static ValidatableResponse post(String path, String body) {
        return given().contentType("application/json")
                .body(body)
                .post("/api/v1/rate-limit" + path)
                .then();
    }

    private static String reserve(String user, int cost, int ttlMillis) {
        return given().contentType("application/json")
                .body("{\"attributes\": {\"user_id\": \"%s\"}, \"endpoint\": \"/users\", \"cost\": %d, \"ttl_ms\": %d}"
                        .formatted(user, cost, ttlMillis))
                .post("/api/v1/rate-limit/reservations")
                .then()
                .statusCode(201)
                .extract()
                .path("reservation_id");
    }

    private static int standing(String user, String endpoint, String policy) {
        return given().queryParam("user_id", user)
                .queryParam("tenant", "of-" + user)
                .queryParam("endpoint", endpoint)
                .get("/api/v1/rate-limit/status")
                .then()
                .statusCode(200)
                .extract()
                .path("limits.find { it.policy == '" + policy + "' }.remaining");
    }
}
