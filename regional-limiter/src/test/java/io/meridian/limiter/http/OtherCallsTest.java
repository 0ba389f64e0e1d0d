package io.meridian.limiter.http;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.startsWith;

import io.meridian.limiter.decide.CheckResult;
import io.meridian.limiter.decide.CheckResult.DecidedBy;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.ValidatableResponse;
import jakarta.inject.Inject;
import java.util.Collections;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Everything that is not a single check. */
@QuarkusTest
@TestProfile(WithFakeLimiter.class)
class OtherCallsTest {
    private static final String BASE = "/api/v1/rate-limit";

    @Inject
    FakeLimiter limiter;

    @BeforeEach
    void forget() {
        limiter.reset();
    }

    private static ValidatableResponse post(String path, String body) {
        return given().contentType("application/json")
                .body(body)
                .post(BASE + path)
                .then();
    }

    @Test
    void a_batch_is_answered_in_order_and_each_check_stands_alone() {
        limiter.rule(check -> switch (check.attributes().getOrDefault("user_id", "")) {
            case "denied" -> Rulings.decided(DecidedBy.REGION, Rulings.refuses(Rulings.policy("p"), 1));
            case "listed" -> new CheckResult.Listed("user_id", "listed");
            default -> Rulings.unlimited();
        });
        post("/check/batch", """
                        {"checks": [
                          {"attributes": {"user_id": "denied"}},
                          {"nope": [{"deep": {"er": [1, 2]}}], "cost": 1},
                          {"attributes": {"user_id": "listed"}},
                          7,
                          [{"cost": 1}],
                          {"cost": -1},
                          {"cost": 1, "cost": 2},
                          {"request_id": "r-9"}]}""")
                .statusCode(200)
                .contentType("application/json")
                .body("results.status", contains(429, 400, 403, 400, 400, 422, 400, 200))
                .body("results[0].allowed", equalTo(false))
                .body("results[0].limits[0].policy", equalTo("p"))
                .body("results[1].type", equalTo("urn:meridian:problem:unknown-field"))
                .body("results[1].detail", equalTo("field checks[1].nope does not exist"))
                .body("results[5].errors[0].field", equalTo("checks[5].cost"))
                .body("results[7].allowed", equalTo(true))
                .body("results[7].type", nullValue());
        assertThat(limiter.asked()).containsExactly("check", "check", "check r-9");
    }

    @Test
    void a_check_of_a_batch_that_fails_fails_alone() {
        limiter.rule(check -> {
            if (check.cost() == 7) {
                throw new IllegalStateException("innards");
            }
            return Rulings.unlimited();
        });
        post("/check/batch", "{\"checks\": [{}, {\"cost\": 7}, {}]}")
                .statusCode(200)
                .body("results.status", contains(200, 500, 200));
    }

    @Test
    void a_batch_has_one_to_a_hundred_checks() {
        String hundred = String.join(",", Collections.nCopies(100, "{}"));
        post("/check/batch", "{\"checks\": [" + hundred + "]}").statusCode(200).body("results.size()", equalTo(100));
        post("/check/batch", "{\"checks\": [" + hundred + ",{}]}")
                .statusCode(422)
                .body("errors[0].rule", equalTo("must be a list of 1 to 100 checks"));
        post("/check/batch", "{\"checks\": []}").statusCode(422);
        post("/check/batch", "{}").statusCode(422);
        post("/check/batch", "{\"checks\": {}}").statusCode(400);
        post("/check/batch", "{\"checks\": [{}], \"more\": 1}").statusCode(400);
        post("/check/batch", "{\"checks\": [{}], \"checks\": [{}]}").statusCode(400);
        post("/check/batch", "{\"checks\": [{\"nope\": 1")
                .statusCode(400)
                .body("type", equalTo("urn:meridian:problem:malformed-body"));
    }

    @Test
    void status_reads_the_check_from_the_query() {
        limiter.rule(Rulings.decided(DecidedBy.REGION, Rulings.refuses(Rulings.policy("p"), 1)));
        given().queryParam("user_id", "4 2")
                .queryParam("plan", "a&b")
                .queryParam("endpoint", "/api/v1/users")
                .queryParam("method", "POST")
                .queryParam("cost", "5")
                .queryParam("header.X-Plan", "beta")
                .get(BASE + "/status")
                .then()
                .statusCode(200)
                .contentType("application/json")
                .header("X-RateLimit-Remaining", "0")
                .header("Retry-After", nullValue())
                .body("allowed", equalTo(false))
                .body("limits[0].policy", equalTo("p"))
                .body("type", nullValue());
        assertThat(limiter.asked()).containsExactly("status");
        assertThat(limiter.lastCheck().attributes())
                .containsEntry("user_id", "4 2")
                .containsEntry("plan", "a&b")
                .hasSize(2);
        assertThat(limiter.lastCheck().segments()).containsExactly("api", "v1", "users");
        assertThat(limiter.lastCheck().method()).isEqualTo("POST");
        assertThat(limiter.lastCheck().cost()).isEqualTo(5);
        assertThat(limiter.lastCheck().headers())
                .containsEntry("x-plan", "beta")
                .hasSize(1);
    }

    @Test
    void a_bad_query_is_refused_by_name() {
        given().get(BASE + "/status?cost=many").then().statusCode(400).body("errors[0].field", equalTo("cost"));
        given().get(BASE + "/status?user_id=1&user_id=2").then().statusCode(400);
        given().get(BASE + "/status?ip=nowhere&cost=-1")
                .then()
                .statusCode(422)
                .body("errors.field", hasItems("attributes.ip", "cost"));
        given().get(BASE + "/status").then().statusCode(200);
        given().head(BASE + "/status").then().statusCode(200);
    }

    @Test
    void a_refund_and_a_reset_take_a_checks_body() {
        limiter.rule(Rulings.decided(DecidedBy.REGION, Rulings.admits(Rulings.policy("p"), 9)));
        post("/refund", "{\"attributes\": {\"user_id\": \"42\"}, \"cost\": 2}")
                .statusCode(200)
                .body("remaining", equalTo(9));
        post("/reset", "{\"attributes\": {\"user_id\": \"42\"}}")
                .statusCode(200)
                .body("limits[0].remaining", equalTo(9));
        assertThat(limiter.asked()).containsExactly("refund", "reset");
        post("/refund", "{\"nope\": 1}").statusCode(400);
        post("/reset", "{\"cost\": -1}").statusCode(422);
    }

    @Test
    void a_reservation_is_committed_or_cancelled_once() {
        String id = reserve("{\"cost\": 10, \"ttl_ms\": 500}");
        post("/reservations/" + id + "/commit", "{\"cost\": 4}").statusCode(200).body("allowed", equalTo(true));
        post("/reservations/" + id + "/commit", "{\"cost\": 4}")
                .statusCode(404)
                .contentType("application/problem+json")
                .body("type", equalTo("urn:meridian:problem:no-reservation"));
        String other = reserve("{}");
        given().delete(BASE + "/reservations/" + other).then().statusCode(200);
        given().delete(BASE + "/reservations/" + other).then().statusCode(404);
        assertThat(limiter.asked()).containsExactly("reserve 500", "commit 4", "reserve 60000", "cancel");
    }

    private static String reserve(String body) {
        return post("/reservations", body)
                .statusCode(201)
                .body("allowed", equalTo(true))
                .extract()
                .path("reservation_id");
    }

    @Test
    void a_lease_says_what_it_holds_until_when_and_under_which_bound() {
        limiter.rule(Rulings.decided(DecidedBy.REGION, Rulings.admits(Rulings.policy("p"), 5)));
        post("/leases", "{\"attributes\": {\"user_id\": \"42\"}, \"units\": 7}")
                .statusCode(201)
                .body("lease_id", startsWith("l-"), "units", equalTo(7), "bound", equalTo("exact"))
                .body("expires_at", equalTo("1970-01-01T00:00:01Z"), "ttl_ms", equalTo(1))
                .body("limits[0].policy", equalTo("p"), "unit_costs.p", equalTo(1), "allowed", equalTo(true));
        assertThat(limiter.asked()).containsExactly("lease 7 1000");
    }

    @Test
    void a_refused_lease_is_answered_like_a_check() {
        limiter.rule(Rulings.decided(DecidedBy.REGION, Rulings.refuses(Rulings.policy("p"), 1)));
        post("/leases", "{\"units\": 7}")
                .statusCode(429)
                .header("Retry-After", "1")
                .body("lease_id", nullValue())
                .body("type", equalTo("urn:meridian:problem:limit-exceeded"));
    }

    @Test
    void a_lease_has_bounds_and_every_broken_one_is_named() {
        post("/leases", "{}")
                .statusCode(422)
                .body("errors[0].field", equalTo("units"), "errors[0].value", equalTo("nothing"));
        post("/leases", "{\"units\": 0}").statusCode(422).body("errors[0].value", equalTo("0"));
        post("/leases", "{\"units\": 1000001}").statusCode(422);
        post("/leases", "{\"units\": 1000000, \"ttl_ms\": 60000}").statusCode(201);
        post("/leases", "{\"units\": 1, \"ttl_ms\": 60001}").statusCode(422).body("errors[0].field", equalTo("ttl_ms"));
        post("/leases", "{\"units\": 5, \"cost\": 6}").statusCode(422).body("errors[0].field", equalTo("units"));
        post("/leases", "{\"units\": 0, \"cost\": 0, \"ttl_ms\": 0}")
                .statusCode(422)
                .body("errors.field", containsInAnyOrder("units", "cost", "ttl_ms"));
        post("/leases", "{\"units\": \"5\"}").statusCode(400);
        post("/leases", "{\"units\": 5, \"unit\": 5}").statusCode(400).body("detail", containsString("unit"));
        post("/leases", "{\"units\": 5, \"units\": 5}").statusCode(400);
        post("/check", "{\"units\": 5}").statusCode(400);
        post("/reservations", "{\"units\": 5}").statusCode(400);
    }

    @Test
    void a_return_names_why_it_is_refused() {
        post("/leases/l-open/return", "{\"units\": 4}").statusCode(200).body("allowed", equalTo(true));
        post("/leases/other/return", "{\"units\": 4}")
                .statusCode(404)
                .contentType("application/problem+json")
                .body("type", equalTo("urn:meridian:problem:no-lease"));
        post("/leases/l-ended/return", "{\"units\": 4}")
                .statusCode(410)
                .body("type", equalTo("urn:meridian:problem:lease-expired"));
        post("/leases/l-small/return", "{\"units\": 4}")
                .statusCode(422)
                .body("errors[0].field", equalTo("units"), "errors[0].value", equalTo("4"));
        post("/leases/l-open/return", "{}").statusCode(422).body("errors[0].value", equalTo("nothing"));
        post("/leases/l-open/return", "{\"units\": -1}").statusCode(422);
        post("/leases/l-open/return", "{\"unit\": 1}").statusCode(400);
        given().get(BASE + "/leases").then().statusCode(405).header("Allow", equalTo("POST, OPTIONS"));
    }

    @Test
    void a_refused_reservation_is_answered_like_a_check() {
        limiter.rule(Rulings.decided(DecidedBy.REGION, Rulings.refuses(Rulings.policy("p"), 1)));
        post("/reservations", "{}")
                .statusCode(429)
                .header("Retry-After", "1")
                .body("reservation_id", nullValue())
                .body("type", equalTo("urn:meridian:problem:limit-exceeded"));
    }

    @Test
    void a_reservation_has_bounds() {
        post("/reservations", "{\"ttl_ms\": 0}").statusCode(422).body("errors[0].field", equalTo("ttl_ms"));
        post("/reservations", "{\"ttl_ms\": 86400001}").statusCode(422);
        post("/reservations", "{\"ttl_ms\": 86400000}").statusCode(201);
        post("/reservations/x/commit", "{}").statusCode(422).body("errors[0].value", equalTo("nothing"));
        post("/reservations/x/commit", "{\"cost\": -1}").statusCode(422);
        post("/reservations/x/commit", "{\"cost\": \"1\"}").statusCode(400);
        post("/reservations/x/commit", "{\"costs\": 1}").statusCode(400);
    }

    @Test
    void load_is_reported() {
        given().contentType("application/json")
                .body("{\"load_percent\": 70}")
                .put("/api/v1/load")
                .then()
                .statusCode(200)
                .body("load_percent", equalTo(70));
        assertThat(limiter.asked()).containsExactly("load 70");
        given().contentType("application/json")
                .body("{\"load_percent\": 101}")
                .put("/api/v1/load")
                .then()
                .statusCode(422);
        given().contentType("application/json")
                .body("{\"load_percent\": 1.5}")
                .put("/api/v1/load")
                .then()
                .statusCode(400);
    }
}
