package io.meridian.config.api;

import static io.meridian.config.api.Admin.admin;
import static io.meridian.testkit.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasItems;

import io.meridian.config.ServiceTest;
import io.meridian.config.database.Database;
import io.meridian.model.rules.Identifier;
import io.meridian.model.rules.RuleEntry;
import io.meridian.model.wire.EntryCodec;
import io.restassured.response.Response;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.config.Config;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What entries mean to each other. */
@ServiceTest
class SemanticsTest {
    @Inject
    Database database;

    @Inject
    Config config;

    @BeforeEach
    void ready() throws Exception {
        Admin.awaitReady();
        Sample.prepare();
    }

    @Test
    void a_new_default_tier_takes_the_default_over() {
        admin().body("{\"name\": \"first\", \"default\": true}").put("tiers/first");
        admin().body("{\"name\": \"second\", \"default\": true}")
                .put("tiers/second")
                .then()
                .statusCode(201);

        admin().get("tiers?default=true").then().body("items.name", equalTo(List.of("second")));
        admin().get("tiers/first").then().body("default", equalTo(false));
        admin().get("audit?kind=tier&id=first&limit=1")
                .then()
                .body("items[0].before.default", equalTo(true))
                .body("items[0].after.default", equalTo(false));

        changes(200, """
                {"op": "put", "kind": "tier", "entry": {"name": "third", "default": true}},
                {"op": "delete", "kind": "tier", "id": "second"}""");
        admin().get("tiers?default=true").then().body("items.name", equalTo(List.of("third")));
        admin().body("{\"default\": false}").patch("tiers/third").then().statusCode(200);
        admin().get("tiers?default=true").then().body("items", equalTo(List.of()));

        changes(422, """
                {"op": "put", "kind": "tier", "entry": {"name": "third", "default": true}},
                {"op": "put", "kind": "tier", "entry": {"name": "first", "default": true}}""");
        admin().get("tiers?default=true").then().body("items", equalTo(List.of()));
    }

    @Test
    void a_tier_may_say_where_it_is_upgraded() {
        admin().body("{\"name\": \"offered\", \"default\": true, \"upgrade_url\": \"https://acme.test/plans\"}")
                .put("tiers/offered")
                .then()
                .statusCode(201)
                .body("upgrade_url", equalTo("https://acme.test/plans"));
        admin().body("{\"name\": \"other\", \"default\": true}").put("tiers/other");
        admin().get("tiers/offered")
                .then()
                .body("default", equalTo(false), "upgrade_url", equalTo("https://acme.test/plans"));

        admin().body("{\"upgrade_url\": \"javascript:alert(1)\"}")
                .patch("tiers/offered")
                .then()
                .statusCode(422)
                .body("errors.field", hasItem("upgrade_url"), "errors.value", hasItem("javascript:alert(1)"));
        admin().body("{\"upgrade_url\": 7}").patch("tiers/offered").then().statusCode(422);
        admin().body("{\"upgrade_url\": null}").patch("tiers/offered").then().statusCode(200);
        assertThat(admin().get("tiers/offered").asString()).doesNotContain("upgrade_url");
        changes(200, """
                {"op": "delete", "kind": "tier", "id": "offered"},
                {"op": "delete", "kind": "tier", "id": "other"}""");
    }

    @Test
    void a_tier_with_clients_stays_until_they_have_another() {
        admin().body("{\"name\": \"busy\"}").put("tiers/busy");
        admin().body("{\"identifier_type\": \"user_id\", \"identifier\": \"b1\", \"tier\": \"busy\"}")
                .put("client-tiers/user_id:b1")
                .then()
                .statusCode(201);

        admin().delete("tiers/busy")
                .then()
                .statusCode(409)
                .body("type", equalTo("urn:meridian:problem:in-use"))
                .body("detail", containsString("busy"));
        admin().delete("tiers/busy?dry_run=true").then().statusCode(409);
        changes(422, """
                {"op": "delete", "kind": "tier", "id": "busy"},
                {"op": "put", "kind": "client-tier",
                 "entry": {"identifier_type": "user_id", "identifier": "b1", "tier": "busy"}}""");

        changes(200, """
                {"op": "delete", "kind": "tier", "id": "busy"},
                {"op": "delete", "kind": "client-tier", "id": "user_id:b1"}""");
        admin().get("tiers/busy").then().statusCode(404);
    }

    @Test
    void a_client_has_a_tier_that_exists() {
        admin().body("{\"identifier_type\": \"user_id\", \"identifier\": \"c1\", \"tier\": \"nowhere\"}")
                .post("client-tiers")
                .then()
                .statusCode(422)
                .body("errors.field", hasItem("tier"))
                .body("errors.value", hasItem("nowhere"));
        admin().body(Sample.CLIENT_TIERS.entry("c1", 1)).put(Sample.CLIENT_TIERS.path("c1"));
        admin().body("{\"tier\": \"nowhere\"}")
                .patch(Sample.CLIENT_TIERS.path("c1"))
                .then()
                .statusCode(422);
        admin().body("{\"tier\": null}")
                .patch(Sample.CLIENT_TIERS.path("c1"))
                .then()
                .statusCode(422)
                .body("errors.field", hasItem("tier"));
        admin().delete(Sample.CLIENT_TIERS.path("c1")).then().statusCode(204);
    }

    @Test
    void an_override_fits_its_policy() {
        admin().body("""
                {"id": "windowed", "key": [], "algorithm": "fixed_window", "limit": 10, "window": "1m", "cost": 5}""").put("policies/windowed");
        String override = """
                {"policy": "%s", "identifier_type": "user_id", "identifier": "o1", "limit": %d, "burst": %d}""";

        admin().body(override.formatted("missing", 10, 0))
                .post("overrides")
                .then()
                .statusCode(422)
                .body("errors.field", hasItem("policy"));
        admin().body(override.formatted("windowed", 10, 1))
                .post("overrides")
                .then()
                .statusCode(422);
        admin().body(override.formatted("windowed", 4, 0))
                .post("overrides")
                .then()
                .statusCode(422)
                .body("errors.field", hasItem("limit"));
        admin().body(override.formatted("windowed", 5, 0))
                .post("overrides")
                .then()
                .statusCode(201);
        admin().delete("policies/windowed").then().statusCode(204);
    }

    @Test
    void a_policy_with_more_overrides_than_can_go_at_once_stays() {
        admin().body(Sample.POLICIES.entry("crowded", 5))
                .put("policies/crowded")
                .then()
                .statusCode(201);
        var unused = database.read(session -> session.run("""
                INSERT INTO override (id, document, version, created_at, updated_at)
                SELECT 'crowded:user_id:' || n, jsonb_build_object('format', 1, 'policy', 'crowded', 'identifier_type',
                    'user_id', 'identifier', n::text, 'limit', 5, 'burst', 0, 'expires_at', NULL), 1, now(), now()
                FROM generate_series(1, 10001) n"""));

        admin().delete("policies/crowded")
                .then()
                .statusCode(409)
                .body("detail", containsString("more than 10000 overrides"));
        admin().delete("overrides/crowded:user_id:1").then().statusCode(204);
        admin().delete("policies/crowded").then().statusCode(204);

        assertThat(Ledger.number(database, "SELECT count(*) FROM override WHERE policy = 'crowded'"))
                .isZero();
    }

    @Test
    void a_policy_is_not_changed_so_that_an_override_no_longer_fits() {
        String policy = """
                {"id": "fitted", "key": [], "algorithm": "token_bucket", "limit": 10, "window": "1m", "cost": %d}""";
        String override = """
                {"policy": "fitted", "identifier_type": "user_id", "identifier": "o2", "limit": 5, "burst": %d}""";
        admin().body(policy.formatted(1)).put("policies/fitted").then().statusCode(201);
        admin().body(override.formatted(2)).post("overrides").then().statusCode(201);

        admin().body(policy.formatted(8))
                .put("policies/fitted")
                .then()
                .statusCode(422)
                .body("errors.field", hasItem("override fitted:user_id:o2"));
        admin().body("{\"algorithm\": \"fixed_window\"}")
                .patch("policies/fitted?dry_run=true")
                .then()
                .statusCode(422);
        admin().body(policy.formatted(7)).put("policies/fitted").then().statusCode(200);
        admin().body("""
                        {"changes": [{"op": "put", "kind": "policy", "entry": %s},
                                     {"op": "put", "kind": "override", "entry": %s}]}""".formatted(policy.formatted(8), override.formatted(3)))
                .post("changes")
                .then()
                .statusCode(200);
        admin().delete("policies/fitted").then().statusCode(204);
    }

    @Test
    void overrides_go_with_their_policy_in_the_database_the_audit_trail_and_the_topic() throws Exception {
        admin().body(Sample.POLICIES.entry("parent", 5)).put("policies/parent");
        for (int i = 0; i < 3; i++) {
            admin().body(
                            "{\"policy\": \"parent\", \"identifier_type\": \"ip\", \"identifier\": \"192.0.2.%d\", \"limit\": 1}"
                                    .formatted(i))
                    .post("overrides")
                    .then()
                    .statusCode(201);
        }
        Response deleted = admin().delete("policies/parent");
        deleted.then().statusCode(204);

        admin().get("overrides?policy=parent").then().body("items", equalTo(List.of()));
        int revision = Integer.parseInt(deleted.header("X-Meridian-Revision"));
        admin().get("audit?kind=override&action=deleted&limit=3")
                .then()
                .body("items.revision", equalTo(List.of(revision, revision, revision)))
                .body("items[0].before.policy", equalTo("parent"));
        List<String> removed = List.of(
                EntryCodec.key(new RuleEntry.Key.OfPolicy("parent")),
                EntryCodec.key(new RuleEntry.Key.OfOverride("parent", new Identifier("ip", "192.0.2.0"))),
                EntryCodec.key(new RuleEntry.Key.OfOverride("parent", new Identifier("ip", "192.0.2.2"))));
        try (PoliciesTopic topic = new PoliciesTopic(config.getValue("kafka.bootstrap.servers", String.class))) {
            eventually("the topic has the removals").until(() -> {
                Map<String, PoliciesTopic.Last> last = topic.read();
                return removed.stream().allMatch(key -> new PoliciesTopic.Last(revision, false).equals(last.get(key)));
            });
        }
    }

    @Test
    void null_in_a_patch_brings_the_default_back() {
        admin().body("""
                {"id": "patched", "name": "A", "key": ["user_id"], "algorithm": "token_bucket", "limit": 5, "window": "1m",
                 "burst": 3, "applies_to": {"methods": ["GET"], "headers": {"x-plan": "beta", "x-a": "b"}}}""").put("policies/patched");

        admin().body("{\"burst\": null, \"name\": null, \"applies_to\": {\"headers\": {\"x-a\": null}}}")
                .patch("policies/patched")
                .then()
                .statusCode(200)
                .body("burst", equalTo(0))
                .body("name", equalTo(""))
                .body("applies_to.methods", equalTo(List.of("GET")))
                .body("applies_to.headers", equalTo(Map.of("x-plan", "beta")));
        admin().body("{\"limit\": null, \"window\": null}")
                .patch("policies/patched")
                .then()
                .statusCode(422)
                .body("errors.field", hasItems("limit", "window"));
        admin().body("{\"version\": 77, \"created_at\": \"2001-01-01T00:00:00Z\", \"limit\": 6}")
                .patch("policies/patched")
                .then()
                .statusCode(200)
                .body("version", equalTo(admin().get("policies/patched").path("version")))
                .body("limit", equalTo(6));
        admin().body("[1]").patch("policies/patched").then().statusCode(400);
        admin().delete("policies/patched");
    }

    @Test
    void the_adaptive_table_is_put_read_and_removed() {
        String table =
                "{\"steps\": [{\"load_percent\": 50, \"limit_percent\": 120}, {\"load_percent\": 100, \"limit_percent\": 60}]}";
        admin().delete("adaptive");
        admin().get("adaptive").then().statusCode(404);
        admin().header("If-Match", "\"1\"").body(table).put("adaptive").then().statusCode(412);
        admin().body(table).put("adaptive?dry_run=true").then().statusCode(200).header("X-Meridian-Dry-Run", "true");
        admin().get("adaptive").then().statusCode(404);
        Response put = admin().body(table).put("adaptive");
        put.then().statusCode(201).body("steps.limit_percent", equalTo(List.of(120, 60)));
        admin().body(put.asString()).put("adaptive").then().statusCode(200).header("ETag", put.header("ETag"));
        admin().body("{\"steps\": []}").put("adaptive").then().statusCode(422).body("errors.field", hasItem("steps"));
        admin().body("{\"steps\": 5, \"x\": 1}").put("adaptive").then().statusCode(400);
        admin().get("adaptive?x=1").then().statusCode(400);
        admin().body(table).post("adaptive").then().statusCode(405);
        Admin.as(Admin.token("viewer")).delete("adaptive").then().statusCode(403);
        Admin.anonymous().get("adaptive").then().statusCode(401);
        admin().header("If-Match", put.header("ETag")).delete("adaptive").then().statusCode(204);
        admin().delete("adaptive").then().statusCode(404);
    }

    @Test
    void the_revision_counts_changes_and_takes_no_parameters() {
        int before = Admin.revision();
        admin().body(Sample.TIERS.entry("counted", before)).put("tiers/counted");
        assertThat(Admin.revision()).isEqualTo(before + 1);
        admin().get("revision?x=1").then().statusCode(400).body("detail", containsString("x"));
        Admin.anonymous().get("revision").then().statusCode(401);
    }

    private static void changes(int status, String changes) {
        admin().body("{\"changes\": [" + changes + "]}").post("changes").then().statusCode(status);
    }
}
