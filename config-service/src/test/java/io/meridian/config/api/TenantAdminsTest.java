package io.meridian.config.api;

import static io.meridian.config.api.Admin.admin;
import static io.meridian.config.api.Admin.as;
import static io.meridian.testkit.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.oneOf;

import io.meridian.config.ServiceTest;
import io.meridian.config.database.Database;
import io.restassured.response.Response;
import jakarta.inject.Inject;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The policies of a tenant admin, and the refusal of everything else. */
@ServiceTest
class TenantAdminsTest {
    private static final String ACME = "ta-acme";

    @Inject
    @SuppressWarnings("NullAway.Init")
    Database database;

    private String acme = "";

    @BeforeEach
    void ready() throws Exception {
        Admin.awaitReady();
        Sample.prepare();
        acme = tenantAdmin(ACME);
        // Policies of other tests that count everybody are above a tenant's.
        List<String> leftover = admin().get("policies?limit=1000")
                .path("items.findAll { it.key.isEmpty() || it.key == ['tenant'] }.id");
        leftover.forEach(id -> admin().delete("policies/" + id));
        put("ta-own", policy("ta-own", ACME, 10, ""));
        put("ta-other", policy("ta-other", "ta-umbrella", 10, ""));
        put("ta-both", """
                {"id": "ta-both", "key": ["ta_user"], "algorithm": "fixed_window", "limit": 10, "window": "1m",
                 "applies_to": {"attributes": {"tenant": ["ta-acme", "ta-umbrella"]}, "endpoints": ["/ta-both"]}}""");
    }

    @AfterEach
    void forget() {
        List<String> ids = admin().get("policies?limit=1000").path("items.findAll { it.id.startsWith('ta-') }.id");
        for (String id : ids) {
            if (admin().delete("policies/" + id).statusCode() == 409) {
                database.read(session ->
                        session.run("UPDATE policy SET document = document - 'protected' WHERE id = $1", id));
                admin().delete("policies/" + id).then().statusCode(204);
            }
        }
    }

    @Test
    void it_reads_and_changes_its_own_policies() {
        as(acme).get("policies?limit=1000").then().statusCode(200).body("items.id", contains("ta-own"));
        as(acme).get("policies?tenant=" + ACME).then().statusCode(200).body("items.id", contains("ta-own"));
        Response own = as(acme).get("policies/ta-own");
        own.then().statusCode(200).body("applies_to.attributes.tenant", contains(ACME));
        as(acme).body("{\"limit\": 9}")
                .header("If-Match", own.header("ETag"))
                .patch("policies/ta-own")
                .then()
                .statusCode(200);
        as(acme).body(policy("ta-new", ACME, 5, "")).post("policies").then().statusCode(201);
        as(acme).body(policy("ta-new", ACME, 6, ""))
                .put("policies/ta-new?dry_run=true")
                .then()
                .statusCode(200);
        as(acme).get("policies/ta-new/usage").then().statusCode(200);
        as(acme).delete("policies/ta-new").then().statusCode(204);
        admin().get("audit?kind=policy&id=ta-own&limit=1")
                .then()
                .body("items[0].actor", containsString("admin of ta-acme"));
        admin().get("policies?tenant=ta-umbrella").then().body("items.id", contains("ta-other"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ta-other", "ta-both", "sample", "ta-none"})
    void every_other_policy_does_not_exist(String id) {
        Ledger before = Ledger.of(database);
        String body = policy(id, ACME, 1, "");
        for (String query : List.of("", "?dry_run=true")) {
            as(acme).body("{\"limit\": 1}")
                    .patch("policies/" + id + query)
                    .then()
                    .statusCode(404);
            as(acme).delete("policies/" + id + query).then().statusCode(404);
        }
        as(acme).get("policies/" + id).then().statusCode(404);
        as(acme).get("policies/" + id + "/usage").then().statusCode(404);
        if (!id.equals("ta-none")) {
            for (String match : List.of("\"999\"", "*", "\"1\"")) {
                as(acme).body(body)
                        .header("If-Match", match)
                        .put("policies/" + id)
                        .then()
                        .statusCode(404)
                        .header("ETag", nullValue())
                        .body("current", nullValue());
            }
            as(acme).body(body).put("policies/" + id).then().statusCode(404);
            as(acme).body(body)
                    .header("If-None-Match", "*")
                    .put("policies/" + id)
                    .then()
                    .statusCode(404);
            as(acme).body(body)
                    .post("policies")
                    .then()
                    .statusCode(409)
                    .header("ETag", nullValue())
                    .body("current", nullValue());
        }
        assertThat(Ledger.of(database)).isEqualTo(before);
    }

    @Test
    void a_policy_does_not_leave_its_tenant() {
        Ledger before = Ledger.of(database);
        for (String attributes : List.of(
                "{}",
                "{\"tenant\": [\"ta-umbrella\"]}",
                "{\"tenant\": [\"ta-acme\", \"ta-umbrella\"]}",
                "{\"user_id\": [\"ta-acme\"]}")) {
            String body = """
                    {"id": "%s", "key": ["ta_user"], "algorithm": "fixed_window", "limit": 1, "window": "1m",
                     "applies_to": {"attributes": %s}}""";
            as(acme).body(body.formatted("ta-new", attributes))
                    .post("policies")
                    .then()
                    .statusCode(422)
                    .body("errors.field", hasItem("applies_to.attributes.tenant"));
            as(acme).body(body.formatted("ta-own", attributes))
                    .put("policies/ta-own")
                    .then()
                    .statusCode(422);
        }
        as(acme).body("{\"applies_to\": {\"attributes\": {\"tenant\": null}}}")
                .patch("policies/ta-own")
                .then()
                .statusCode(422);
        as(acme).body("{\"applies_to\": null}").patch("policies/ta-own").then().statusCode(422);
        assertThat(Ledger.of(database)).isEqualTo(before);
        as(acme).body("{\"applies_to\": {\"attributes\": {\"ta_user\": [\"1\"]}}}")
                .patch("policies/ta-own?dry_run=true")
                .then()
                .statusCode(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET tiers",
                "GET tiers/sample-1",
                "PUT tiers/ta-tier {\"name\": \"ta-tier\"}",
                "DELETE tiers/sample-1",
                "GET client-tiers",
                "PUT client-tiers/tenant:ta-acme {\"identifier_type\": \"tenant\", \"identifier\": \"ta-acme\", \"tier\": \"sample-1\"}",
                "GET overrides",
                "GET overrides?policy=ta-other",
                "POST overrides {\"policy\": \"ta-own\", \"identifier_type\": \"user_id\", \"identifier\": \"1\", \"limit\": 100}",
                "POST overrides {\"policy\": \"ta-other\", \"identifier_type\": \"user_id\", \"identifier\": \"1\", \"limit\": 100}",
                "GET allow-list",
                "POST allow-list {\"identifier_type\": \"tenant\", \"identifier\": \"ta-acme\"}",
                "GET deny-list",
                "POST deny-list {\"identifier_type\": \"tenant\", \"identifier\": \"ta-umbrella\"}",
                "GET adaptive",
                "PUT adaptive {\"steps\": []}",
                "POST changes {\"changes\": [{\"op\": \"delete\", \"kind\": \"policy\", \"id\": \"ta-other\"}]}",
                "POST changes {\"changes\": [{\"op\": \"delete\", \"kind\": \"policy\", \"id\": \"ta-own\"}]}",
                "GET revision",
                "GET audit",
                "GET audit?kind=policy&id=ta-other",
                "POST audit/1/revert",
                "GET clients/tenant/ta-umbrella",
                "GET clients/tenant/ta-acme",
                "DELETE clients/tenant/ta-umbrella/counters",
                "GET violations",
                "GET violations?policy=ta-other",
                "GET top-offenders",
                "GET hot-keys",
                "POST what-if {}",
                "POST explain {\"check\": {\"attributes\": {\"tenant\": \"ta-umbrella\"}}}",
                "GET regions",
                "GET imports",
                "GET tokens",
                "POST tokens {\"name\": \"x\", \"role\": \"admin\"}",
                "POST tokens {\"name\": \"x\", \"role\": \"tenant_admin\", \"tenant\": \"ta-umbrella\"}",
                "DELETE tokens/bootstrap",
                "GET proposals",
                "POST proposals {\"reason\": \"x\", \"changes\": [{\"op\": \"delete\", \"kind\": \"policy\", \"id\": \"ta-other\"}]}",
                "POST proposals/1/approve",
                "POST proposals/1/apply",
                "GET policies?tenant=ta-umbrella"
            })
    void everything_else_is_forbidden(String call) {
        String[] parts = call.split(" ", 3);
        Ledger before = Ledger.of(database);
        Response answer = as(acme).body(parts.length > 2 ? parts[2] : "{}").request(parts[0], parts[1]);
        answer.then().statusCode(403).body(not(containsString("limit\"")));
        assertThat(Ledger.of(database)).isEqualTo(before);
    }

    @Test
    void refusals_are_in_the_audit_trail() throws Exception {
        as(acme).get("tiers").then().statusCode(403);
        eventually("the refusal is written")
                .until(() -> Ledger.number(
                                database,
                                "SELECT count(*) FROM audit WHERE action = 'refused' AND actor LIKE 'admin of ta-acme%'"
                                        + " AND entry_id = 'TiersResource.list'")
                        > 0);
    }

    @Test
    void a_limit_lies_within_those_of_the_policies_above() {
        put(
                "ta-cap",
                "{\"id\": \"ta-cap\", \"key\": [\"tenant\"], \"algorithm\": \"fixed_window\", \"limit\": 100,"
                        + " \"window\": \"1m\", \"applies_to\": {\"endpoints\": [\"/ta/*\"]}}");

        as(acme).body(policy("ta-new", ACME, 101, ""))
                .post("policies")
                .then()
                .statusCode(422)
                .body("errors.field", contains("limit"))
                .body("errors[0].value", equalTo("101 per 1m"))
                .body("errors[0].rule", containsString("policy ta-cap"));
        as(acme).body("{\"limit\": 101}").patch("policies/ta-own").then().statusCode(422);
        as(acme).body("{\"limit\": 101}")
                .patch("policies/ta-own?dry_run=true")
                .then()
                .statusCode(422);
        as(acme).body("{\"limit\": 101, \"enabled\": false}")
                .patch("policies/ta-own")
                .then()
                .statusCode(200);
        as(acme).body("{\"enabled\": true}").patch("policies/ta-own").then().statusCode(422);
        as(acme).body("{\"limit\": 100, \"enabled\": true}")
                .patch("policies/ta-own")
                .then()
                .statusCode(200);
        as(acme).body("{\"window\": \"1s\"}").patch("policies/ta-own").then().statusCode(422);
        admin().body("{\"limit\": 101}").patch("policies/ta-own").then().statusCode(200);
    }

    @Test
    void a_tenant_does_not_use_up_the_policies_of_all() {
        String changes = IntStream.range(0, 99)
                .mapToObj(i -> "{\"op\": \"put\", \"kind\": \"policy\", \"entry\": "
                        + policy("ta-many-" + i, ACME, 1, "") + "}")
                .collect(Collectors.joining(","));
        admin().body("{\"changes\": [" + changes + "]}").post("changes").then().statusCode(200);

        as(acme).body(policy("ta-new", ACME, 1, ""))
                .post("policies")
                .then()
                .statusCode(422)
                .body("errors.field", contains("policies"), "errors.value", contains("101"));
        as(acme).body("{\"limit\": 2}").patch("policies/ta-many-1").then().statusCode(200);
        as(acme).delete("policies/ta-many-1").then().statusCode(204);
        as(acme).body(policy("ta-new", ACME, 1, "")).post("policies").then().statusCode(201);
    }

    @Test
    void a_protected_policy_of_the_tenant_is_a_cap_that_its_admin_cannot_lift() {
        put("ta-guard", policy("ta-guard", ACME, 50, ", \"protected\": true"));

        as(acme).get("policies/ta-guard").then().statusCode(200);
        as(acme).body("{\"limit\": 60}").patch("policies/ta-guard").then().statusCode(409);
        as(acme).delete("policies/ta-guard").then().statusCode(409);
        as(acme).body("{\"protected\": true}").patch("policies/ta-own").then().statusCode(403);
        as(acme).body("{\"limit\": 51}").patch("policies/ta-own").then().statusCode(422);
        as(acme).body("{\"limit\": 50}").patch("policies/ta-own").then().statusCode(200);
    }

    @Test
    void a_token_of_a_tenant_admin_names_its_tenant_and_no_other_token_does() {
        admin().body("{\"name\": \"x\", \"role\": \"tenant_admin\"}")
                .post("tokens")
                .then()
                .statusCode(422)
                .body("errors.field", contains("tenant"));
        admin().body("{\"name\": \"x\", \"role\": \"editor\", \"tenant\": \"a\"}")
                .post("tokens")
                .then()
                .statusCode(422)
                .body("errors.field", contains("tenant"), "errors.value", contains("a"));
        for (String tenant : List.of("\"\"", "5", "\"a\\u0000b\"", "\"" + "x".repeat(513) + "\"")) {
            admin().body("{\"name\": \"x\", \"role\": \"tenant_admin\", \"tenant\": " + tenant + "}")
                    .post("tokens")
                    .then()
                    .statusCode(422)
                    .body("errors.field", everyItem(equalTo("tenant")));
        }
        admin().get("tokens?limit=1000")
                .then()
                .body("items.findAll { it.role == 'tenant_admin' }.tenant", hasItem(ACME))
                .body("items.findAll { it.role != 'tenant_admin' && it.tenant != null }", empty());
    }

    private static String tenantAdmin(String tenant) {
        return admin().body("{\"name\": \"admin of %s\", \"role\": \"tenant_admin\", \"tenant\": \"%s\"}"
                        .formatted(tenant, tenant))
                .post("tokens")
                .then()
                .statusCode(201)
                .body("tenant", equalTo(tenant))
                .extract()
                .path("token");
    }

    private static void put(String id, String body) {
        admin().body(body).put("policies/" + id).then().statusCode(oneOf(200, 201));
    }

    private static String policy(String id, String tenant, int limit, String more) {
        return """
                {"id": "%s", "key": ["ta_user"], "algorithm": "fixed_window", "limit": %d, "window": "1m",
                 "applies_to": {"attributes": {"tenant": ["%s"]}, "endpoints": ["/ta/%s"]}%s}""".formatted(id, limit, tenant, "x", more);
    }
}
