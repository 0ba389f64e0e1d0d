package io.meridian.config.history.promises;

import static io.meridian.config.api.Admin.admin;
import static io.meridian.testkit.Await.eventually;
import static io.restassured.RestAssured.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.nullValue;

import io.meridian.config.ServiceTest;
import io.meridian.config.api.Admin;
import io.meridian.config.database.Database;
import io.meridian.config.database.Timestamps;
import io.meridian.config.history.HistoryConfig;
import io.meridian.model.policy.Coordination.AfterHeal;
import io.meridian.model.time.TimeSource;
import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.RegionIncarnation;
import io.meridian.model.usage.SharingMode;
import io.meridian.model.usage.UsageCount;
import io.meridian.model.usage.WindowRule;
import io.meridian.model.wire.UsageRecord;
import io.restassured.response.ValidatableResponse;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The promise ledger from usage in a real Kafka to the admin API: the service's own intake and judge work. */
@ServiceTest
@Timeout(900)
class PromisesTest {
    private static final long MINUTE = Timestamps.MINUTE_MICROS;
    private static final long LIMIT = 20;

    @Inject
    @ConfigProperty(name = "kafka.bootstrap.servers")
    String bootstrap;

    @Inject
    HistoryConfig config;

    @Inject
    PromiseConditions conditions;

    @Inject
    Database database;

    @Inject
    TimeSource time;

    private long nowMinute;

    @BeforeEach
    void ready() throws Exception {
        Admin.awaitReady();
        nowMinute = Timestamps.minute(time.wallMicros());
    }

    @Test
    void a_window_in_escrow_is_kept_and_late_usage_corrects_it() throws Exception {
        long start = nowMinute - 10 * MINUTE;
        policy("spent", "escrow");
        tell(usage("spent", "user_id=1", "us-east", start, SharingMode.ESCROW, 12, 0));
        tell(usage("spent", "user_id=1", "eu-west", start, SharingMode.ESCROW, 9, 1));
        tell(usage("spent", "user_id=2", "eu-west", start, SharingMode.ESCROW, 5, 0));

        awaitAdmitted("spent", 25);
        promises("spent")
                .body(
                        "items[0].window_start",
                        equalTo(Timestamps.ofMicros(start).toString()))
                .body(
                        "items[0].window_end",
                        equalTo(Timestamps.ofMicros(start + MINUTE).toString()))
                .body("items[0].mode", equalTo("escrow"))
                .body("items[0].keys", equalTo(2))
                .body("items[0].limit", equalTo(40))
                .body("items[0].bound", equalTo(40))
                .body("items[0].kept", equalTo(true))
                .body("items[0].over", equalTo(0))
                .body("items[0].utilisation", equalTo(0.625f))
                .body("items[0].worst.key", equalTo("user_id=1"))
                .body("items[0].worst.admitted", equalTo(20))
                .body("items[0].worst.limit", equalTo(20))
                .body("items[0].loop_delay_ms", nullValue())
                .body("totals[0].policy", equalTo("spent"))
                .body("totals[0].windows", equalTo(1))
                .body("totals[0].kept", equalTo(1));
        double brokenBefore = broken();

        tell(usage("spent", "user_id=1", "ap-south", start, SharingMode.ESCROW, 3, 0));

        awaitAdmitted("spent", 28);
        promises("spent")
                .body("items", hasSize(1))
                .body("items[0].kept", equalTo(false))
                .body("items[0].over", equalTo(3))
                .body("items[0].broken_keys", equalTo(1))
                .body("items[0].reason", nullValue())
                .body("totals[0].broken", equalTo(1))
                .body("totals[0].over", equalTo(3));
        admin().queryParam("policy", "spent")
                .get("promises/broken")
                .then()
                .statusCode(200)
                .body("items", hasSize(1))
                .body("items[0].key", equalTo("user_id=1"))
                .body("items[0].admitted", equalTo(23))
                .body("items[0].bound", equalTo(20))
                .body("items[0].over", equalTo(3))
                .body("next", nullValue());
        admin().queryParam("policy", "spent")
                .queryParam("key", "user_id=2")
                .get("promises/broken")
                .then()
                .body("items", hasSize(0));
        eventually("it is counted").until(() -> broken() == brokenBefore + 1);
    }

    @Test
    void a_converging_window_may_exceed_its_limit_by_what_the_rate_admits_in_a_loop() throws Exception {
        long start = nowMinute - 25 * MINUTE;
        policy("converged", "converge");
        int unused = conditions.record(start, 500_000, 5, Set.of());
        tell(usage("converged", "user_id=1", "us-east", start, SharingMode.CONVERGE, 24, 0));
        tell(usage("converged", "user_id=2", "us-east", start, SharingMode.CONVERGE, 26, 0));

        awaitAdmitted("converged", 50);
        promises("converged")
                .body("items[0].bound", equalTo(50))
                .body("items[0].parts", equalTo(1))
                .body("items[0].loop_delay_ms", equalTo(500f))
                .body("items[0].kept", equalTo(false))
                .body("items[0].broken_keys", equalTo(1))
                .body("items[0].over", equalTo(1))
                .body("items[0].worst.key", equalTo("user_id=2"))
                .body("items[0].worst.bound", equalTo(25));
    }

    @Test
    void each_part_of_a_disconnected_world_may_use_the_limit_of_a_converging_policy() throws Exception {
        long start = nowMinute - 35 * MINUTE;
        policy("parted", "converge");
        int unused = conditions.record(start, 500_000, 5, Set.of("ap-south"));
        int unusedToo = conditions.record(start, 100_000, 4, Set.of("eu-west"));
        tell(usage("parted", "user_id=1", "us-east", start, SharingMode.CONVERGE, 64, 0));

        awaitAdmitted("parted", 64);
        promises("parted")
                .body("items[0].parts", equalTo(3))
                .body("items[0].bound", equalTo(65))
                .body("items[0].kept", equalTo(true))
                .body("items[0].utilisation", equalTo(3.2f));
    }

    @Test
    void where_the_bound_is_not_certain_a_window_above_it_is_unknown_and_not_broken() throws Exception {
        long start = nowMinute - 45 * MINUTE;
        policy("unmeasured", "converge");
        tell(usage("unmeasured", "user_id=1", "us-east", start, SharingMode.CONVERGE, 21, 0));
        policy("changed", "escrow");
        admin().body("{\"limit\": 19}").patch("policies/changed").then().statusCode(200);
        database.read(session -> session.run(
                "UPDATE policy_version SET changed_at = $1 WHERE id = 'changed' AND version = 2",
                Timestamps.toDatabase(start + MINUTE / 2)));
        tell(usage("changed", "user_id=1", "us-east", start, SharingMode.ESCROW, 21, 0));

        awaitAdmitted("unmeasured", 21);
        promises("unmeasured")
                .body("items[0].kept", nullValue())
                .body("items[0].reason", equalTo(PromiseJudge.UNMEASURED))
                .body("totals[0].unknown", equalTo(1));
        awaitAdmitted("changed", 21);
        promises("changed").body("items[0].kept", nullValue()).body("items[0].reason", equalTo(PromiseJudge.CHANGED));
        admin().queryParam("policy", "changed").get("promises/broken").then().body("items", hasSize(0));
        admin().queryParam("policy", "changed")
                .queryParam("kept", true)
                .get("promises")
                .then()
                .body("items", hasSize(0));
    }

    @Test
    void limits_without_windows_and_regional_ones_are_not_in_the_ledger() throws Exception {
        long start = nowMinute - 15 * MINUTE;
        policy("marker", "escrow");
        tell(usage("sliding", "user_id=1", "us-east", start, SharingMode.CONVERGE_RATE, 500, 0));
        tell(usage("regional", "user_id=1", "us-east", start, SharingMode.REGIONAL, 500, 0));
        tell(usage("marker", "user_id=1", "us-east", start, SharingMode.ESCROW, 1, 0));

        awaitAdmitted("marker", 1);
        long others = database.read(
                session -> session.run("SELECT count(*) FROM promise_account WHERE policy IN ('sliding', 'regional')")
                        .iterator()
                        .next()
                        .getLong(0));
        assertThat(others).isZero();
    }

    @Test
    void pages_follow_each_other_and_totals_are_those_of_the_range() throws Exception {
        policy("paged", "escrow");
        for (int i = 0; i < 5; i++) {
            tell(usage("paged", "user_id=1", "us-east", nowMinute - (50 + i) * MINUTE, SharingMode.ESCROW, 10 + i, 0));
        }
        eventually("all are judged").until(() -> Integer.valueOf(5)
                .equals(admin().queryParam("policy", "paged").get("promises").path("totals[0].windows")));

        List<Integer> admitted = new ArrayList<>();
        String cursor = null;
        do {
            var request = admin().queryParam("policy", "paged")
                    .queryParam(
                            "from", Timestamps.ofMicros(nowMinute - 60 * MINUTE).toString())
                    .queryParam("limit", 2);
            var page = (cursor == null ? request : request.queryParam("cursor", cursor))
                    .get("promises")
                    .then()
                    .statusCode(200)
                    .body("totals[0].admitted", equalTo(60))
                    .body("totals[0].utilisation", equalTo(0.6f))
                    .extract();
            admitted.addAll(page.<List<Integer>>path("items.admitted"));
            cursor = page.path("next");
        } while (cursor != null);

        assertThat(admitted).containsExactly(10, 11, 12, 13, 14);
    }

    @Test
    void a_bad_question_is_refused_by_name_and_a_viewer_may_ask() {
        for (String path : List.of("promises", "promises/broken")) {
            Admin.as(Admin.token("viewer")).get(path).then().statusCode(200);
            Admin.as("nobody").get(path).then().statusCode(401);
            admin().queryParam("from", "noon")
                    .get(path)
                    .then()
                    .statusCode(400)
                    .body("errors[0].value", equalTo("noon"));
            admin().queryParam("colour", "red")
                    .get(path)
                    .then()
                    .statusCode(400)
                    .body("detail", containsString("colour"));
            admin().queryParam("cursor", "bm9uc2Vuc2U").get(path).then().statusCode(400);
            admin().queryParam("policy", "never-heard-of")
                    .get(path)
                    .then()
                    .statusCode(422)
                    .body("errors[0].field", equalTo("policy"))
                    .body("errors[0].value", equalTo("never-heard-of"));
            admin().queryParam("to", "1999-01-01T00:00:00Z").get(path).then().statusCode(422);
        }
        admin().queryParam("kept", "maybe")
                .get("promises")
                .then()
                .statusCode(400)
                .body("errors[0].value", equalTo("maybe"));
    }

    private static void policy(String id, String mode) {
        admin().body("""
                        {"id": "%s", "key": ["user_id"], "algorithm": "fixed_window", "limit": 20, "window": "1m",
                         "scope": "global", "mode": "%s"}""".formatted(id, mode)).put("policies/" + id).then().statusCode(201);
    }

    private static ValidatableResponse promises(String policy) {
        return admin().queryParam("policy", policy).get("promises").then().statusCode(200);
    }

    private static void awaitAdmitted(String policy, int units) throws Exception {
        eventually("the window of " + policy + " is judged").until(() -> Integer.valueOf(units)
                .equals(admin().queryParam("policy", policy).get("promises").path("items[0].admitted")));
    }

    private static double broken() {
        return get("/q/metrics")
                .asString()
                .lines()
                .filter(line -> line.startsWith("meridian_config_promises_windows_total")
                        && line.contains("outcome=\"broken\""))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    private static UsageRecord usage(
            String policy, String key, String region, long start, SharingMode sharing, long taken, long returned) {
        return new UsageRecord(
                new LimitWindow(policy, key, start),
                new RegionIncarnation(region, 1),
                new WindowRule(1, LIMIT, MINUTE, sharing, AfterHeal.FORGIVE),
                new UsageCount(taken, returned),
                0,
                10,
                0,
                start + MINUTE / 2);
    }

    private void tell(UsageRecord record) {
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", bootstrap), new ByteArraySerializer(), new ByteArraySerializer())) {
            var unused = producer.send(new ProducerRecord<>(config.usageTopic(), record.key(), record.value()));
        }
    }
}
