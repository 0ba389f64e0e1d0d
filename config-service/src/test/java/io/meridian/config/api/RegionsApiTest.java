package io.meridian.config.api;

import static io.meridian.config.api.Admin.admin;
import static io.meridian.testkit.Await.eventually;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.nullValue;

import io.meridian.config.AdminTokenResource;
import io.meridian.config.ServiceTest;
import io.meridian.config.database.Database;
import io.meridian.config.regions.FakeLimiters;
import io.meridian.model.policy.Coordination.Scope;
import io.meridian.model.wire.InstanceReport;
import io.meridian.model.wire.RegionQuery;
import io.meridian.model.wire.RegionQueryReply;
import io.restassured.response.Response;
import io.restassured.response.ValidatableResponse;
import io.restassured.specification.RequestSpecification;
import io.vertx.mutiny.sqlclient.Row;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.eclipse.microprofile.config.ConfigProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What admins see and do of the regions, with limiters that answer over a real Kafka. */
@ServiceTest
@Timeout(900)
class RegionsApiTest {
    private static final String REGIONS = "regions";
    private static final String IN_REGIONS = """
            {"id": "in-regions", "key": ["user_id"], "algorithm": "fixed_window", "limit": 5, "window": "1m",
             "applies_to": {"regions": [%s]}}""";
    private static final String CLIENT = "clients/user_id/42";

    @Inject
    @SuppressWarnings("NullAway.Init")
    Database database;

    @SuppressWarnings("NullAway.Init") // before each test
    private FakeLimiters limiters;

    @BeforeEach
    void open() throws Exception {
        Admin.awaitReady();
        limiters = new FakeLimiters(ConfigProvider.getConfig().getValue("kafka.bootstrap.servers", String.class));
        limiters.runs("eu", "a", 0, FakeLimiters.answering("eu", "a", standing("g", Scope.GLOBAL, 60)));
        limiters.runs("us", "b", 0, FakeLimiters.answering("us", "b", standing("g", Scope.GLOBAL, 30)));
        eventually("both regions are live").until(() -> isLive("eu") && isLive("us"));
    }

    @AfterEach
    void close() {
        limiters.close();
    }

    @Test
    void regions_show_who_is_behind() throws Exception {
        admin().body("{\"name\": \"seen-by-regions\"}").post("tiers").then().statusCode(201);
        int current = admin().get(REGIONS).path("revision");
        assertThat(current).isPositive();
        limiters.runs("eu", "a", current, FakeLimiters.answering("eu", "a"));
        eventually("eu is up to date").until(() -> region("eu").equals(List.of(current, 0)));

        admin().get(REGIONS)
                .then()
                .statusCode(200)
                .body("next", nullValue())
                .body("items.region", contains("eu", "us"))
                .body("items.find { it.region == 'us' }.behind", equalTo(current))
                .body("items.find { it.region == 'us' }.instances[0].origin", equalTo("topic"))
                .body("items.find { it.region == 'us' }.instances[0].live", equalTo(true));
        admin().get(REGIONS + "?from=2020-01-01T00:00:00Z").then().body("items", hasSize(2));
        admin().get(REGIONS + "?to=2020-01-01T00:00:00Z").then().statusCode(200).body("items", empty());
        admin().get(REGIONS + "?from=yesterday").then().statusCode(400).body("detail", containsString("from"));
    }

    @Test
    void a_region_states_a_bound_only_where_a_loop_was_measured() throws Exception {
        String us = "items.find { it.region == 'us' }.";
        limiters.loops("us", "b", InstanceReport.Loop.NONE);
        eventually("nothing is measured").until(() -> admin().get(REGIONS).path(us + "loop_delay_ms.p99") == null);
        admin().get(REGIONS)
                .then()
                .body(us + "converge_bound.formula", nullValue())
                .body(us + "converge_bound.excess_units_max", nullValue())
                .body(us + "converge_bound.reason", containsString("not known"));

        limiters.loops("us", "b", new InstanceReport.Loop(100_000, 250_000, 300_000, 0, 7));

        eventually("a loop is measured").until(() -> admin().get(REGIONS).path(us + "loop_delay_ms.p99") != null);
        admin().get(REGIONS)
                .then()
                .body(us + "loop_delay_ms.p99", equalTo(250f))
                .body(us + "converge_bound.formula", equalTo("limit + rate x 0.250 s"))
                .body(us + "converge_bound.excess_units_max", equalTo(7))
                .body(us + "converge_bound.reason", nullValue());
    }

    @Test
    void a_policy_names_regions_that_exist_unless_others_are_allowed() {
        admin().body(IN_REGIONS.formatted("\"eu\", \"us\""))
                .post("policies?dry_run=true")
                .then()
                .statusCode(200)
                .body("warnings", empty());

        for (String parameters : List.of("", "?dry_run=true", "?allow_unknown=false")) {
            admin().body(IN_REGIONS.formatted("\"eu\", \"mars\""))
                    .post("policies" + parameters)
                    .then()
                    .statusCode(422)
                    .body("errors.field", contains("applies_to.regions"), "errors.value", contains("mars"))
                    .body("errors[0].rule", containsString("eu, us"));
        }
        admin().body("{\"changes\": [{\"op\": \"put\", \"kind\": \"policy\", \"entry\": "
                        + IN_REGIONS.formatted("\"mars\"") + "}]}")
                .post("changes")
                .then()
                .statusCode(422)
                .body("errors.field", contains("changes[0].applies_to.regions"));
        admin().get("policies/in-regions").then().statusCode(404);

        admin().body(IN_REGIONS.formatted("\"eu\", \"mars\""))
                .post("policies?allow_unknown=true")
                .then()
                .statusCode(201)
                .body("warnings", contains(containsString("names mars, and there is no such region")));
        admin().body("{\"limit\": 6}").patch("policies/in-regions").then().statusCode(422);
        admin().body("{\"limit\": 6}")
                .patch("policies/in-regions?allow_unknown=true")
                .then()
                .statusCode(200)
                .body("warnings", hasSize(1));
        admin().delete("policies/in-regions").then().statusCode(204);
    }

    @Test
    void a_region_is_known_after_a_restart_though_nobody_has_been_heard_of_since() throws Exception {
        eventually("PostgreSQL remembers both")
                .until(() -> Ledger.number(database, "SELECT count(*) FROM region WHERE name IN ('eu', 'us')") == 2);
    }

    @Test
    void a_client_is_seen_in_the_world_and_by_region() throws Exception {
        asked(() -> admin().queryParam("tenant", "acme")
                        .queryParam("endpoint", "/x")
                        .get(CLIENT))
                .statusCode(200)
                .body("identifier", equalTo("42"), "missing", empty(), "limits", hasSize(1))
                .body("limits[0].used", equalTo(90), "limits[0].remaining", equalTo(10))
                .body("limits[0].scope", equalTo("global"), "limits[0].regions.region", contains("eu", "us"))
                .body("limits[0].regions[0].reset_at", equalTo("1970-01-01T00:00:07Z"));

        RegionQuery asked = limiters.asked().get(limiters.asked().size() - 1);
        assertThat(asked.attributes()).isEqualTo(Map.of("user_id", "42", "tenant", "acme"));
        assertThat(asked.endpoint()).isEqualTo("/x");
    }

    @Test
    void a_region_that_cannot_say_is_missing() throws Exception {
        limiters.runs("us", "b", 0, question -> RegionQueryReply.failed(question, "us", "b", "its Redis is away"));

        asked(() -> admin().get(CLIENT)).statusCode(200).body("missing", contains("us"), "limits[0].used", equalTo(60));
    }

    @Test
    void a_reset_that_one_region_cannot_do_names_it_and_what_is_no_record_is_skipped() throws Exception {
        limiters.babble();
        limiters.runs("us", "b", 0, question -> RegionQueryReply.failed(question, "us", "b", "its Redis is away"));

        asked(() -> admin().delete(CLIENT + "/counters"))
                .statusCode(200)
                .body("reset", contains("eu"), "missing", contains("us"));
    }

    @Test
    void a_reset_is_asked_of_all_and_audited() throws Exception {
        asked(() -> admin().urlEncodingEnabled(false).delete("clients/user_id/a%2Fb/counters"))
                .statusCode(200)
                .body("reset", contains("eu", "us"), "missing", empty());

        RegionQuery asked = limiters.asked().get(limiters.asked().size() - 1);
        assertThat(asked.kind()).isEqualTo(RegionQuery.Kind.RESET);
        assertThat(asked.attributes()).isEqualTo(Map.of("user_id", "a/b"));
        List<String> trail = new ArrayList<>();
        for (Row row : database.read(session ->
                session.run("SELECT actor, action, kind, after::text AS after FROM audit WHERE entry_id = 'user_id:a/b'"
                        + " ORDER BY id"))) {
            assertThat(row.getString("actor")).startsWith("bootstrap");
            trail.add(row.getString("action") + " " + row.getString("kind"));
            assertThat(row.getString("after")).doesNotContain(AdminTokenResource.TOKEN);
        }
        // One that Kafka did not take is in the trail as begun.
        assertThat(trail).endsWith("reset client", "reset_done client").containsOnlyOnce("reset_done client");
    }

    @Test
    void a_rehearsed_reset_asks_only_how_the_client_stands_and_is_not_in_the_trail() throws Exception {
        asked(() -> admin().queryParam("dry_run", "true").delete("clients/user_id/rehearsed/counters"))
                .statusCode(200)
                .header("X-Meridian-Dry-Run", "true")
                .body("reset", contains("eu", "us"), "missing", empty());

        RegionQuery asked = limiters.asked().get(limiters.asked().size() - 1);
        assertThat(asked.kind()).isEqualTo(RegionQuery.Kind.STATUS);
        assertThat(asked.attributes()).isEqualTo(Map.of("user_id", "rehearsed"));
        assertThat(Ledger.number(database, "SELECT count(*) FROM audit WHERE entry_id = 'user_id:rehearsed'"))
                .isZero();
        admin().queryParam("dry_run", "perhaps")
                .delete("clients/user_id/rehearsed/counters")
                .then()
                .statusCode(400);
    }

    @Test
    void who_may_not_is_refused_and_what_cannot_be_is_named() {
        nobody().get(REGIONS).then().statusCode(401);
        nobody().get(CLIENT).then().statusCode(401);
        nobody().delete(CLIENT + "/counters").then().statusCode(401);
        admin().queryParam("x", "1").get(REGIONS).then().statusCode(400);
        admin().queryParam("user_id", "43")
                .get(CLIENT)
                .then()
                .statusCode(422)
                .body("detail", containsString("user_id"));
        admin().queryParam("Bad-Name", "1").get(CLIENT).then().statusCode(422);
        admin().get("clients/ip/no-address").then().statusCode(422);
        admin().urlEncodingEnabled(false)
                .get("clients/ip/10.0.0.0%2F8")
                .then()
                .statusCode(422)
                .body("detail", containsString("ip"));
        admin().get("clients/endpoint/x").then().statusCode(422);
        admin().delete(CLIENT).then().statusCode(405);
    }

    /** The answer to a question that Kafka has taken: it is refused with 503 where a busy machine takes longer than a second. */
    private static ValidatableResponse asked(Callable<Response> question) throws Exception {
        Response[] last = new Response[1];
        eventually("Kafka takes the question").until(() -> {
            last[0] = question.call();
            return last[0].statusCode() != 503;
        });
        return last[0].then();
    }

    private boolean isLive(String region) {
        return admin().get(REGIONS).statusCode() == 200
                && Integer.valueOf(1)
                        .equals(admin().get(REGIONS).path("items.find { it.region == '" + region + "' }?.live"));
    }

    private static List<Object> region(String name) {
        String item = "items.find { it.region == '" + name + "' }";
        return List.of(
                admin().get(REGIONS).path(item + ".revision"),
                admin().get(REGIONS).path(item + ".behind"));
    }

    private static RequestSpecification nobody() {
        return given().basePath(Admin.BASE);
    }

    private static RegionQueryReply.Standing standing(String policy, Scope scope, long used) {
        return new RegionQueryReply.Standing(policy, "user_id=42", scope, 100, 100 - used, used, 7_000_000);
    }
}
