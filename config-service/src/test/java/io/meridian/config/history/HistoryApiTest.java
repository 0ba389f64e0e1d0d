package io.meridian.config.history;

import static io.meridian.config.api.Admin.admin;
import static io.meridian.testkit.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;

import io.meridian.config.ServiceTest;
import io.meridian.config.api.Admin;
import io.meridian.config.database.Timestamps;
import io.meridian.model.time.TimeSource;
import io.meridian.model.wire.OperationRecord;
import io.meridian.model.wire.UsageRecord;
import io.meridian.model.wire.ViolationRecord;
import io.restassured.response.ValidatableResponse;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What regions tell Kafka is asked for over REST: the service's own intake brings it there. */
@ServiceTest
class HistoryApiTest {
    private static final String KEYED = """
            {"id": "%s", "key": ["%s"], "algorithm": "fixed_window", "limit": 1000, "window": "1h", "cost": 2}""";

    @Inject
    @ConfigProperty(name = "kafka.bootstrap.servers")
    String bootstrap;

    @Inject
    HistoryConfig config;

    @Inject
    TimeSource time;

    private TopicsUnderTest topics;
    private long minute;

    @BeforeEach
    void ready() throws Exception {
        Admin.awaitReady();
        topics = TopicsUnderTest.named(
                bootstrap, config.usageTopic(), config.violationsTopic(), config.operationsTopic(), config.batchMax());
        minute = Timestamps.minute(time.wallMicros()) - 10 * Timestamps.MINUTE_MICROS;
    }

    @Test
    void what_was_done_at_a_limiter_is_in_the_audit_trail() throws Exception {
        OperationRecord refund = TestRecords.refund("op-1", "billing-jobs", "eu-west", "user_id=7", 5, minute);
        OperationRecord reset = new OperationRecord(
                "op-2",
                OperationRecord.Kind.RESET,
                "billing-jobs",
                "eu-west",
                "r-17",
                minute + 1,
                OperationRecord.Outcome.NO_LIMIT,
                0,
                "/",
                "",
                List.of(),
                0);
        topics.tell(List.of(refund, reset, refund));

        eventually("both are in")
                .until(() -> admin().get("audit?actor=billing-jobs")
                                .<List<Object>>path("items")
                                .size()
                        >= 2);
        admin().get("audit?actor=billing-jobs").then().body("items.action", containsInAnyOrder("refund", "reset"));
        admin().queryParam("id", "api-default:user_id=7")
                .get("audit?kind=counter&action=refund&actor=billing-jobs")
                .then()
                .statusCode(200)
                .body("items", hasSize(1))
                .body("items[0].at", equalTo(Timestamps.ofMicros(minute).toString()))
                .body("items[0].request_id", equalTo(""))
                .body("items[0].before", nullValue())
                .body("items[0].revision", nullValue())
                .body("items[0].after.region", equalTo("eu-west"))
                .body("items[0].after.outcome", equalTo("done"))
                .body("items[0].after.units", equalTo(5))
                .body("items[0].after.limits[0].policy", equalTo("api-default"))
                .body("items[0].after.limits[0].key", equalTo("user_id=7"))
                .body("items[0].after.limits[0].units", equalTo(5));
        admin().get("audit?kind=counter&id=none&action=reset&actor=billing-jobs")
                .then()
                .body("items", hasSize(1))
                .body("items[0].request_id", equalTo("r-17"))
                .body("items[0].after.outcome", equalTo("no_limit"))
                .body("items[0].after", not(hasKey("units")));
    }

    @Test
    void usage_is_told_by_time_and_region() throws Exception {
        topics.tell(
                List.of(
                        usage("told", "user_id=1", "us-east", 10, 0, 0),
                        usage("told", "user_id=1", "us-east", 30, 5, 2),
                        usage("told", "user_id=1", "us-west", 7, 0, 2),
                        usage("told", "user_id=2", "us-east", 1, 0, 3)),
                List.of());

        awaitConsumed("told", 33);
        admin().get("policies/told/usage")
                .then()
                .statusCode(200)
                .body("step", equalTo("minute"))
                .body("regions.us-east", equalTo(26))
                .body("regions.us-west", equalTo(7))
                .body("points.consumed", equalTo(List.of(10, 22, 1)))
                .body("points[1].at", equalTo(at(2)))
                .body("points[1].regions.us-east", equalTo(15));
        admin().queryParam("key", "user_id=1")
                .queryParam("region", "us-east")
                .get("policies/told/usage")
                .then()
                .body("consumed", equalTo(25));
        // What was consumed before the range is not in it.
        admin().queryParam("from", at(2)).get("policies/told/usage").then().body("consumed", equalTo(23));
        admin().queryParam("from", at(0))
                .queryParam("to", at(2))
                .get("policies/told/usage")
                .then()
                .body("consumed", equalTo(10));
        admin().get("policies/never-heard-of/usage")
                .then()
                .body("consumed", equalTo(0))
                .body("points", hasSize(0));
    }

    @Test
    void hot_keys_are_those_that_consume_most() throws Exception {
        topics.tell(
                List.of(
                        usage("hot", "user_id=1", "us-east", 10, 0, 0),
                        usage("hot", "user_id=2", "us-east", 30, 0, 1),
                        usage("hot", "user_id=2", "us-west", 30, 10, 1),
                        usage("hot", "user_id=3", "us-west", 20, 0, 2)),
                List.of());

        awaitConsumed("hot", 80);
        admin().queryParam("policy", "hot")
                .queryParam("limit", 2)
                .get("hot-keys")
                .then()
                .statusCode(200)
                .body("items.key", equalTo(List.of("user_id=2", "user_id=3")))
                .body("items.consumed", equalTo(List.of(50, 20)))
                .body("next", nullValue());
    }

    @Test
    void violations_are_paged_and_offenders_ranked() throws Exception {
        admin().body(KEYED.formatted("log", "user_id")).put("policies/log");
        List<ViolationRecord> told = new ArrayList<>();
        for (int i = 0; i < 25; i++) {
            told.add(TestRecords.violation(
                    "log", "user_id=" + i % 3, i % 2 == 0 ? "us-east" : "us-west", i + 1, minute + i));
        }
        topics.tell(List.of(), told);
        eventually("all are in")
                .until(() -> violations("log").extract().path("items.size()").equals(25));

        List<Integer> counts = new ArrayList<>();
        String cursor = null;
        do {
            var request = admin().queryParam("policy", "log").queryParam("limit", 10);
            var page = (cursor == null ? request : request.queryParam("cursor", cursor))
                    .get("violations")
                    .then()
                    .statusCode(200)
                    .extract();
            counts.addAll(page.<List<Integer>>path("items.count"));
            cursor = page.path("next");
        } while (cursor != null);

        assertThat(counts)
                .hasSize(25)
                .isSortedAccordingTo((one, other) -> other - one)
                .doesNotHaveDuplicates();
        admin().queryParam("policy", "log")
                .queryParam("key", "user_id=1")
                .queryParam("region", "us-east")
                .get("violations")
                .then()
                .body("items.count", equalTo(List.of(23, 17, 11, 5)))
                .body("items[0].endpoint", equalTo("/api/v1/users"))
                .body("items[0].limit", equalTo(100))
                .body("items[0].used", equalTo(103))
                .body("items[0].window", equalTo("1m"));
        admin().queryParam("policy", "log")
                .get("top-offenders")
                .then()
                .statusCode(200)
                .body("items.key", equalTo(List.of("user_id=0", "user_id=2", "user_id=1")))
                .body("items.denied", equalTo(List.of(117, 108, 100)))
                .body("items.shadow", equalTo(List.of(0, 0, 0)));
    }

    @Test
    void a_key_that_was_only_recorded_was_denied_no_time() throws Exception {
        admin().body(KEYED.formatted("shadowed", "user_id")).put("policies/shadowed");
        topics.tell(List.of(), List.of(TestRecords.recorded("shadowed", "user_id=1", "us-east", 7, minute)));
        eventually("it is in")
                .until(() ->
                        violations("shadowed").extract().path("items.size()").equals(1));

        admin().queryParam("policy", "shadowed")
                .get("top-offenders")
                .then()
                .statusCode(200)
                .body("items.shadow", equalTo(List.of(7)))
                .body("items.denied", equalTo(List.of(0)));
        violations("shadowed")
                .body("items[0].limit", nullValue())
                .body("items[0].used", nullValue())
                .body("items[0].window", nullValue());
    }

    @Test
    void a_draft_is_tried_on_what_was_recorded() throws Exception {
        admin().body(KEYED.formatted("tried", "account"))
                .post("policies")
                .then()
                .statusCode(201);
        topics.tell(
                List.of(
                        usage("tried", "account=a", "us-east", 20, 0, 0),
                        usage("tried", "account=a", "us-east", 60, 0, 1),
                        usage("tried", "account=b", "us-east", 4, 0, 1)),
                List.of(TestRecords.violation("tried", "account=a", "us-east", 10, minute + 1)));
        awaitConsumed("tried", 64);
        eventually("the denial is in")
                .until(() -> violations("tried").extract().path("items.size()").equals(1));

        // In requests, at a cost of 2: a asked for 15 and 20 in its two minutes, b for 2.
        whatIf("account", 6, "")
                .statusCode(200)
                .body("basis", equalTo("tried"))
                .body("requests", equalTo(37))
                .body("denied", equalTo(23))
                .body("clients[0].key", equalTo("account=a"))
                .body("clients[0].units", equalTo(35))
                .body("clients[0].denied", equalTo(23))
                .body("clients[1].denied", equalTo(0))
                .body("assumptions", hasItem(containsString("spread evenly")));
        whatIf("account", 1000, ", \"basis\": \"tried\"").statusCode(200).body("denied", equalTo(0));
        whatIf("other", 6, ", \"basis\": \"tried\"").statusCode(422).body("errors[0].field", equalTo("basis"));
        whatIf("other", 6, "").statusCode(422).body("errors[0].field", equalTo("policy.key"));
        whatIf("account", 6, ", \"basis\": \"nobody\"").statusCode(422).body("errors[0].value", equalTo("nobody"));
        whatIf("account", 0, "").statusCode(422).body("errors[0].field", equalTo("limit"));
        whatIf("account", 6, ", \"from\": \"yesterday\"").statusCode(422).body("errors[0].value", equalTo("yesterday"));
        whatIf("account", 6, ", \"basis\": 7").statusCode(422).body("errors[0].field", equalTo("basis"));
        whatIf("account", 6, ", \"what\": 7").statusCode(400).body("detail", containsString("what"));
        admin().body("{}").post("what-if").then().statusCode(422).body("errors[0].field", equalTo("policy"));
    }

    @Test
    void violations_say_for_which_range_they_are_told_to_the_second() {
        String from = Timestamps.ofMicros(minute + 30_000_000).toString();

        admin().queryParam("from", from)
                .queryParam("to", at(2))
                .get("violations")
                .then()
                .statusCode(200)
                .body("from", equalTo(from), "to", equalTo(at(2)));
    }

    @Test
    void a_bad_question_is_refused_by_name() {
        for (String path : List.of("policies/p/usage", "violations", "top-offenders", "hot-keys")) {
            admin().queryParam("from", "noon")
                    .get(path)
                    .then()
                    .statusCode(400)
                    .body("errors[0].value", equalTo("noon"));
            admin().queryParam("from", at(2))
                    .queryParam("to", at(1))
                    .get(path)
                    .then()
                    .statusCode(422)
                    .body("errors[0].field", equalTo("from"));
            admin().queryParam("to", "1999-01-01T00:00:00Z")
                    .get(path)
                    .then()
                    .statusCode(422)
                    .body("errors[0].field", equalTo("to"));
            admin().queryParam("colour", "red").get(path).then().statusCode(400);
            Admin.as("nobody").get(path).then().statusCode(401);
        }
        admin().queryParam("limit", 0).get("violations").then().statusCode(400);
        admin().queryParam("cursor", "bm9uc2Vuc2U").get("violations").then().statusCode(400);
        admin().get("policies/' OR 1=1/usage").then().statusCode(422).body("errors[0].field", equalTo("policy"));
        admin().queryParam("key", "' OR 1=1 --").get("policies/p/usage").then().body("consumed", equalTo(0));
        admin().body("[]").post("what-if").then().statusCode(400);
    }

    private ValidatableResponse whatIf(String key, int limit, String more) {
        return admin().body("""
                {"policy": {"id": "draft", "key": ["%s"], "algorithm": "fixed_window", "limit": %d, "window": "1m"}%s}""".formatted(key, limit, more)).post("what-if").then();
    }

    private static ValidatableResponse violations(String policy) {
        return admin().queryParam("policy", policy).get("violations").then();
    }

    private static void awaitConsumed(String policy, int units) throws Exception {
        eventually("usage of " + policy + " is in").until(() -> admin().get("policies/" + policy + "/usage")
                .then()
                .extract()
                .path("consumed")
                .equals(units));
    }

    private UsageRecord usage(String policy, String key, String region, long taken, long returned, int minutes) {
        return TestRecords.usage(policy, key, region, taken, returned, minute + minutes * Timestamps.MINUTE_MICROS);
    }

    private String at(int minutes) {
        return Timestamps.ofMicros(minute + minutes * Timestamps.MINUTE_MICROS).toString();
    }
}
