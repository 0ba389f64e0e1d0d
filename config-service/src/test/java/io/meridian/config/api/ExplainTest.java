package io.meridian.config.api;

import static io.meridian.config.api.Admin.admin;
import static io.meridian.testkit.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;

import io.meridian.config.ServiceTest;
import io.meridian.config.database.Database;
import io.meridian.config.regions.FakeLimiters;
import io.meridian.model.policy.Coordination.Scope;
import io.meridian.model.wire.RegionQuery;
import io.meridian.model.wire.RegionQueryReply;
import io.restassured.response.ValidatableResponse;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.config.ConfigProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Explanations of checks, with limiters that answer over a real Kafka. */
@ServiceTest
@Timeout(900)
class ExplainTest {
    private static final String CHECK = """
            {"attributes": {"user_id": "ex-42", "tenant": "ex-acme", "ip": "192.0.2.77"}, "endpoint": "/explained/x",
             "method": "GET", "headers": {"X-Plan": "beta"}, "cost": 3}""";

    @Inject
    @SuppressWarnings("NullAway.Init")
    Database database;

    @SuppressWarnings("NullAway.Init") // before each test
    private FakeLimiters limiters;

    @BeforeEach
    void open() throws Exception {
        Admin.awaitReady();
        limiters = new FakeLimiters(ConfigProvider.getConfig().getValue("kafka.bootstrap.servers", String.class));
        limiters.runs("eu", "a", 0, FakeLimiters.answering("eu", "a", standing(10)));
        limiters.runs("us", "b", 0, FakeLimiters.answering("us", "b", standing(2)));
        eventually("both regions are live").until(() -> isLive("eu") && isLive("us"));
        put("tiers/ex-gold", "{\"name\": \"ex-gold\"}");
        put("client-tiers/tenant:ex-acme", """
                {"identifier_type": "tenant", "identifier": "ex-acme", "tier": "ex-gold"}""");
        policy("ex-matched", "\"priority\": 900000");
        policy("ex-gold-only", "\"applies_to\": {\"tiers\": [\"ex-gold\"], \"endpoints\": [\"/explained/*\"]}");
        policy("ex-off", "\"enabled\": false");
        policy("ex-elsewhere", """
                "applies_to": {"endpoints": ["/other/*"], "methods": ["PUT"], "headers": {"x-plan": "alpha"},
                 "attributes": {"tenant": ["ex-other"], "plan": ["x"]}, "regions": ["us"]}""");
        policy("ex-keyless", "\"key\": [\"color\"]");
        put("overrides/ex-matched:ip:192.0.2.0%2F24", """
                {"policy": "ex-matched", "identifier_type": "ip", "identifier": "192.0.2.0/24", "limit": 7}""");
    }

    @AfterEach
    void close() {
        limiters.close();
        List<String> ids = admin().get("policies?limit=1000").path("items.findAll { it.id.startsWith('ex-') }.id");
        ids.forEach(id -> admin().delete("policies/" + id));
        admin().delete("client-tiers/tenant:ex-acme");
        admin().delete("deny-list/ip:192.0.2.64%2F26");
        admin().delete("allow-list/user_id:ex-42");
    }

    @Test
    void every_policy_is_explained_and_nothing_is_changed() throws Exception {
        Ledger before = Ledger.of(database);
        ValidatableResponse answer = explained("{\"region\": \"eu\", \"check\": " + CHECK + "}");

        answer.body("tier.name", equalTo("ex-gold"), "tier.source", equalTo("client"))
                .body("tier.identifier_type", equalTo("tenant"), "list", nullValue(), "revision", notNullValue())
                .body("policies[0].id", equalTo("ex-matched"), "policies[0].matched", equalTo(true))
                .body("policies[0].key", equalTo("user_id=ex-42"), "policies[0].cost", equalTo(3))
                .body("policies[0].limit", equalTo(7), "policies[0].override.identifier", equalTo("192.0.2.0/24"))
                .body("policies[0].regions", contains("eu"), "policies[0].mismatches", empty())
                .body(of("ex-gold-only") + "matched", equalTo(true))
                .body(of("ex-off") + "matched", equalTo(false))
                .body(of("ex-off") + "mismatches.selector", contains("disabled"))
                .body(
                        of("ex-elsewhere") + "mismatches.selector",
                        containsInAnyOrder("endpoint", "method", "header", "attribute", "attribute", "region"))
                .body(
                        of("ex-elsewhere") + "mismatches.find { it.selector == 'endpoint' }.expected",
                        contains("/other/*"))
                .body(of("ex-elsewhere") + "mismatches.find { it.name == 'tenant' }.actual", equalTo("ex-acme"))
                .body(of("ex-elsewhere") + "mismatches.find { it.name == 'plan' }.actual", nullValue())
                .body(of("ex-keyless") + "mismatches.selector", contains("key"))
                .body(of("ex-keyless") + "mismatches.name", contains("color"))
                .body("regions", hasSize(1))
                .body("regions[0].answered", equalTo(true), "regions[0].status", equalTo(200))
                .body("regions[0].limits[0].remaining", equalTo(10), "regions[0].limits[0].admits", equalTo(true));

        RegionQuery asked = limiters.asked().get(limiters.asked().size() - 1);
        assertThat(asked.kind()).isEqualTo(RegionQuery.Kind.CHECK);
        assertThat(asked.request().headers()).isEqualTo(Map.of("x-plan", "beta"));
        assertThat(asked.request().cost()).isEqualTo(3);
        assertThat(Ledger.of(database)).isEqualTo(before);
    }

    @Test
    void all_regions_are_asked_and_one_that_cannot_say_is_named() throws Exception {
        explained("{\"check\": " + CHECK + "}")
                .body("regions.region", hasItems("eu", "us"))
                .body("regions.find { it.region == 'us' }.status", equalTo(429))
                .body("regions.find { it.region == 'us' }.policy", equalTo("ex-matched"))
                .body("regions.find { it.region == 'us' }.detail", containsString("2 of 10 left"))
                .body("regions.find { it.region == 'eu' }.allowed", equalTo(true));

        limiters.runs("us", "b", 0, question -> RegionQueryReply.failed(question, "us", "b", "its Redis is away"));
        explained("{\"check\": " + CHECK + "}")
                .body("regions.find { it.region == 'us' }.answered", equalTo(false))
                .body("regions.find { it.region == 'us' }.reason", containsString("no limiter"))
                .body("regions.find { it.region == 'us' }.status", nullValue())
                .body("regions.find { it.region == 'eu' }.answered", equalTo(true));
    }

    @Test
    void the_deny_list_comes_before_the_allow_list_and_both_before_the_policies() throws Exception {
        put("allow-list/user_id:ex-42", """
                {"identifier_type": "user_id", "identifier": "ex-42", "reason": "ours"}""");
        explained("{\"region\": \"us\", \"check\": " + CHECK + "}")
                .body("list.list", equalTo("allow-list"), "regions[0].status", equalTo(200))
                .body("regions[0].detail", containsString("exempts"));

        put("deny-list/ip:192.0.2.64%2F26", """
                {"identifier_type": "ip", "identifier": "192.0.2.64/26", "reason": "leaked"}""");
        explained("{\"region\": \"us\", \"check\": " + CHECK + "}")
                .body("list.list", equalTo("deny-list"), "list.identifier", equalTo("192.0.2.64/26"))
                .body("list.reason", equalTo("leaked"), "regions[0].status", equalTo(403))
                .body("regions[0].allowed", equalTo(false));

        put("deny-list/ip:192.0.2.64%2F26", """
                {"identifier_type": "ip", "identifier": "192.0.2.64/26", "expires_at": "2020-01-01T00:00:00Z"}""");
        explained("{\"region\": \"us\", \"check\": " + CHECK + "}").body("list.list", equalTo("allow-list"));
    }

    @Test
    void a_check_that_names_policies_is_explained_for_these() throws Exception {
        explained("{\"region\": \"eu\", \"check\": {\"attributes\": {\"user_id\": \"1\"}, \"policies\": [\"ex-off\"]}}")
                .body(of("ex-matched") + "mismatches.selector", hasItem("named"))
                .body(of("ex-matched") + "matched", equalTo(false))
                .body(of("ex-off") + "mismatches.selector", contains("disabled"))
                .body("policies.matched", hasItem(false));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}|422|check",
                "{\"region\": \"mars\", \"check\": {}}|422|region",
                "{\"region\": 5, \"check\": {}}|422|region",
                "{\"check\": {\"attributes\": {\"ip\": \"no address\"}}}|422|check.attributes.ip",
                "{\"check\": {\"attributes\": {\"user_id\": 5}}}|422|check.attributes.user_id",
                "{\"check\": {\"cost\": -1}}|422|check.cost",
                "{\"check\": {\"cost\": \"x\"}}|422|check.cost",
                "{\"check\": {\"method\": []}}|422|check.method",
                "{\"check\": {\"headers\": []}}|422|check.headers",
                "{\"check\": {\"policies\": [\"bad id!\"]}}|422|check.policies[0]",
                "{\"check\": {\"policies\": \"x\"}}|422|check.policies",
                "{\"check\": {\"tier\": \"gold\"}}|400|tier",
                "{\"check\": {}, \"regions\": []}|400|regions",
                "{\"check\": []}|400|check",
                "[]|400|explanation"
            })
    void what_is_wrong_with_a_question_is_named(String body, int status, String named) {
        admin().body(body).post("explain").then().statusCode(status).body("detail", containsString(named));
    }

    @Test
    void viewers_may_ask_and_nobody_else_without_a_token() {
        Admin.as(Admin.token("viewer"))
                .body("{\"region\": \"eu\", \"check\": {}}")
                .post("explain")
                .then()
                .statusCode(200);
        Admin.anonymous().body("{\"check\": {}}").post("explain").then().statusCode(401);
        admin().get("explain").then().statusCode(405);
    }

    /** The answer in which Kafka took the question; on a busy machine it may take longer than a second. */
    private static ValidatableResponse explained(String body) throws Exception {
        ValidatableResponse[] last = new ValidatableResponse[1];
        eventually("Kafka takes the question").until(() -> {
            last[0] = admin().body(body).post("explain").then().statusCode(200);
            List<String> reasons = last[0].extract().path("regions.reason");
            return reasons.stream().noneMatch(reason -> reason != null && reason.contains("Kafka"));
        });
        return last[0];
    }

    private static String of(String policy) {
        return "policies.find { it.id == '" + policy + "' }.";
    }

    private static void policy(String id, String more) {
        String key = more.contains("\"key\"") ? "" : "\"key\": [\"user_id\"], ";
        put(
                "policies/" + id,
                "{\"id\": \"" + id + "\", " + key
                        + "\"algorithm\": \"fixed_window\", \"limit\": 10, \"window\": \"1m\", " + more + "}");
    }

    private static void put(String path, String body) {
        int status = admin().urlEncodingEnabled(false).body(body).put(path).statusCode();
        assertThat(status).as(path).isIn(200, 201);
    }

    private static boolean isLive(String region) {
        return Integer.valueOf(1)
                .equals(admin().get("regions").path("items.find { it.region == '" + region + "' }?.live"));
    }

    private static RegionQueryReply.Standing standing(long remaining) {
        return new RegionQueryReply.Standing(
                "ex-matched", "user_id=ex-42", Scope.REGIONAL, 10, remaining, 10 - remaining, 7_000_000);
    }
}
