package io.meridian.config.api;

import static io.meridian.config.api.Admin.admin;
import static io.meridian.config.api.Admin.as;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.oneOf;

import io.meridian.config.ServiceTest;
import io.meridian.config.database.Database;
import io.restassured.response.Response;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Changes by two people: proposals, and policies that are changed by them only. */
@ServiceTest
class ProposalsTest {
    private static final String POLICY = """
            {"id": "%s", "key": ["user_id"], "algorithm": "fixed_window", "limit": %d, "window": "1m", "protected": %s}""";

    @Inject
    @SuppressWarnings("NullAway.Init")
    Database database;

    private String author = "";
    private String other = "";
    private String viewer = "";

    @BeforeEach
    void ready() throws Exception {
        Admin.awaitReady();
        author = Admin.token("proposing", "editor");
        other = Admin.token("approving", "editor");
        viewer = Admin.token("looking", "viewer");
    }

    @AfterEach
    void forget() {
        List<Integer> pending = admin().get("proposals?state=open&limit=1000").path("items.id");
        pending.forEach(id -> as(other).post("proposals/" + id + "/reject"));
        List<Integer> approved =
                admin().get("proposals?state=approved&limit=1000").path("items.id");
        approved.forEach(id -> as(other).post("proposals/" + id + "/reject"));
        for (String id : List.of("pr-one", "pr-two", "pr-guarded")) {
            if (admin().delete("policies/" + id).statusCode() == 409) {
                int proposal = propose("clean up", delete(id)).path("id");
                as(other).post("proposals/" + proposal + "/approve");
                as(other).post("proposals/" + proposal + "/apply").then().statusCode(200);
            }
        }
    }

    @Test
    void a_set_of_changes_is_proposed_approved_by_another_and_applied_at_once() {
        policy("pr-one", 10, false);
        Ledger before = Ledger.of(database);
        Response made = propose("for the sale", put("pr-one", 20, false) + "," + put("pr-two", 5, true));
        made.then()
                .statusCode(201)
                .header("Location", containsString("proposals/"))
                .body("state", equalTo("open"), "author", containsString("proposing"), "change_count", equalTo(2))
                .body("changes[0].before.limit", equalTo(10), "changes[0].after.limit", equalTo(20))
                .body("changes[1].before", nullValue(), "conflicts", empty());
        int id = made.path("id");
        assertThat(Ledger.of(database).revision()).isEqualTo(before.revision());
        as(author).post("proposals/" + id + "/apply").then().statusCode(409).body("detail", containsString("is open"));
        as(author)
                .post("proposals/" + id + "/apply?dry_run=true")
                .then()
                .statusCode(200)
                .body("results.op", contains("replaced", "created"));

        as(other).post("proposals/" + id + "/approve?dry_run=true").then().statusCode(200);
        as(viewer).get("proposals/" + id).then().statusCode(200).body("state", equalTo("open"));
        as(other)
                .post("proposals/" + id + "/approve")
                .then()
                .statusCode(200)
                .body("state", equalTo("approved"), "approved_by", containsString("approving"));
        Response applied = as(author).post("proposals/" + id + "/apply");
        applied.then().statusCode(200).body("results.op", contains("replaced", "created"));

        assertThat(Ledger.of(database).revision()).isEqualTo(before.revision() + 1);
        admin().get("policies/pr-one").then().body("limit", equalTo(20));
        admin().get("policies/pr-two").then().body("limit", equalTo(5), "protected", equalTo(true));
        as(viewer)
                .get("proposals/" + id)
                .then()
                .body("state", equalTo("applied"), "closed_by", containsString("proposing"))
                .body("revision", equalTo(applied.path("revision")), "closed_at", notNullValue());
        admin().get("audit?kind=proposal&id=" + id)
                .then()
                .body("items.action", contains("applied", "approved", "proposed"))
                .body("items[0].revision", equalTo(applied.path("revision")))
                .body("items[2].after.entries", contains("policy pr-one", "policy pr-two"));
        admin().get("audit?kind=policy&id=pr-two&limit=1").then().body("items[0].actor", containsString("proposing"));
        as(viewer).get("proposals?state=applied&limit=1").then().body("items[0].id", equalTo(id));
    }

    @Test
    void nobody_approves_an_own_proposal_or_the_same_twice() {
        int id = propose("mine", put("pr-one", 1, false)).path("id");

        as(author).post("proposals/" + id + "/approve").then().statusCode(403);
        as(author).post("proposals/" + id + "/approve?dry_run=true").then().statusCode(403);
        as(author).post("proposals/" + id + "/reject").then().statusCode(403);
        as(other).post("proposals/" + id + "/withdraw").then().statusCode(403);
        as(viewer).post("proposals/" + id + "/approve").then().statusCode(403);
        Admin.anonymous().post("proposals/" + id + "/approve").then().statusCode(401);
        as(other).post("proposals/" + id + "/approve").then().statusCode(200);
        as(other).post("proposals/" + id + "/approve").then().statusCode(409);
        admin().post("proposals/" + id + "/approve").then().statusCode(409);
        as(author).post("proposals/" + id + "/apply").then().statusCode(200);
        as(author).post("proposals/" + id + "/apply").then().statusCode(409);
        as(other).post("proposals/" + id + "/approve").then().statusCode(409);
        as(author).post("proposals/" + id + "/withdraw").then().statusCode(409);
        admin().get("policies/pr-one").then().body("version", notNullValue());
    }

    /** The rule of the second person holds below the service, too. */
    @Test
    void the_database_refuses_an_approval_by_the_author() {
        int id = propose("mine", put("pr-one", 1, false)).path("id");

        assertThatThrownBy(() -> database.read(session -> session.run(
                        "UPDATE proposal SET state = 'approved', approved_by = author WHERE id = $1", (long) id)))
                .hasMessageContaining("check constraint");
        assertThatThrownBy(() -> database.read(
                        session -> session.run("UPDATE proposal SET state = 'applied' WHERE id = $1", (long) id)))
                .hasMessageContaining("check constraint");
    }

    @Test
    void an_approval_is_worth_nothing_once_an_entry_has_changed() {
        policy("pr-one", 10, false);
        int id = propose("doubled", put("pr-one", 20, false) + "," + put("pr-two", 5, false))
                .path("id");
        as(other).post("proposals/" + id + "/approve").then().statusCode(200);
        policy("pr-one", 11, false);
        policy("pr-two", 1, false);
        Ledger before = Ledger.of(database);

        as(viewer).get("proposals/" + id).then().body("conflicts.entry", contains("policy pr-one", "policy pr-two"));
        for (String query : List.of("?dry_run=true", "")) {
            as(author)
                    .post("proposals/" + id + "/apply" + query)
                    .then()
                    .statusCode(409)
                    .body("errors.field", contains("policy pr-one", "policy pr-two"))
                    .body("errors[1].rule", containsString("absent"));
        }
        assertThat(Ledger.of(database)).isEqualTo(before);
        admin().get("policies/pr-one").then().body("limit", equalTo(11));
    }

    @Test
    void what_became_invalid_since_is_refused_when_it_is_applied() {
        admin().body("{\"name\": \"pr-tier\"}").put("tiers/pr-tier");
        int id = propose("a client", """
                {"op": "put", "kind": "client-tier", "entry": {"identifier_type": "user_id", "identifier": "pr-1", "tier": "pr-tier"}}""").path("id");
        as(other).post("proposals/" + id + "/approve").then().statusCode(200);
        admin().delete("tiers/pr-tier").then().statusCode(204);

        as(author)
                .post("proposals/" + id + "/apply")
                .then()
                .statusCode(422)
                .body("errors.field", hasItem(containsString("tier")));
        as(viewer).get("proposals/" + id).then().body("state", equalTo("approved"));
    }

    @Test
    void one_that_is_rejected_withdrawn_or_expired_is_not_applied() {
        int rejected = propose("a", put("pr-one", 1, false)).path("id");
        as(other)
                .post("proposals/" + rejected + "/reject")
                .then()
                .statusCode(200)
                .body("state", equalTo("rejected"));
        int withdrawn = propose("b", put("pr-one", 1, false)).path("id");
        as(author)
                .post("proposals/" + withdrawn + "/withdraw")
                .then()
                .statusCode(200)
                .body("state", equalTo("withdrawn"));
        int expired = propose("c", put("pr-one", 1, false)).path("id");
        as(other).post("proposals/" + expired + "/approve").then().statusCode(200);
        database.read(session -> session.run(
                "UPDATE proposal SET expires_at = now() - interval '1 second' WHERE id = $1", (long) expired));

        for (int id : List.of(rejected, withdrawn, expired)) {
            for (String action : List.of("approve", "reject", "apply", "apply?dry_run=true")) {
                as(other).post("proposals/" + id + "/" + action).then().statusCode(409);
            }
        }
        as(viewer).get("proposals/" + expired).then().body("state", equalTo("expired"));
        as(viewer).get("proposals?state=expired&limit=1000").then().body("items.id", hasItem(expired));
        admin().get("policies/pr-one").then().statusCode(404);
    }

    @Test
    void a_protected_policy_is_changed_by_a_proposal_only() {
        as(author)
                .body(entry("pr-guarded", 10, true))
                .put("policies/pr-guarded")
                .then()
                .statusCode(403);
        policy("pr-guarded", 10, false);
        as(author)
                .body("{\"protected\": true}")
                .patch("policies/pr-guarded")
                .then()
                .statusCode(403);
        admin().body("{\"protected\": true}")
                .patch("policies/pr-guarded")
                .then()
                .statusCode(200);
        int protectedBy = admin().get("audit?kind=policy&id=pr-guarded&limit=1").path("items[0].id");
        Ledger before = Ledger.of(database);

        for (String query : List.of("", "?dry_run=true")) {
            refused(admin().body(entry("pr-guarded", 11, true)).put("policies/pr-guarded" + query));
            refused(admin().body("{\"limit\": 11}").patch("policies/pr-guarded" + query));
            refused(admin().body("{\"protected\": false}").patch("policies/pr-guarded" + query));
            refused(admin().delete("policies/pr-guarded" + query));
            refused(admin().body("{\"changes\": [" + delete("pr-guarded") + "]}")
                    .post("changes" + query));
            refused(admin().post("audit/" + protectedBy + "/revert" + query));
        }
        admin().body(entry("pr-guarded", 10, true))
                .put("policies/pr-guarded")
                .then()
                .statusCode(200);
        assertThat(Ledger.of(database)).isEqualTo(before);

        int id = propose("less", put("pr-guarded", 5, false)).path("id");
        as(other).post("proposals/" + id + "/approve").then().statusCode(200);
        as(other).post("proposals/" + id + "/apply").then().statusCode(200);
        admin().get("policies/pr-guarded").then().body("limit", equalTo(5), "protected", equalTo(false));
        admin().body("{\"limit\": 11}").patch("policies/pr-guarded").then().statusCode(200);
    }

    private static void refused(Response answer) {
        answer.then()
                .statusCode(409)
                .body("type", equalTo("urn:meridian:problem:protected"))
                .body("detail", containsString("change it by a proposal"));
    }

    @Test
    void of_many_that_apply_one_proposal_at_once_one_does() throws Exception {
        int id = propose("once", put("pr-one", 7, false)).path("id");
        as(other).post("proposals/" + id + "/approve").then().statusCode(200);
        long before = Ledger.of(database).revision();
        ExecutorService callers = Executors.newFixedThreadPool(8);
        try {
            List<Callable<Integer>> calls = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                calls.add(() -> as(author).post("proposals/" + id + "/apply").statusCode());
            }
            List<Integer> statuses = new ArrayList<>();
            for (Future<Integer> each : callers.invokeAll(calls)) {
                statuses.add(each.get());
            }
            assertThat(statuses).containsOnly(200, 409).containsOnlyOnce(200);
        } finally {
            callers.shutdown();
        }
        assertThat(Ledger.of(database).revision()).isEqualTo(before + 1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"changes\": []}|422|reason",
                "{\"reason\": \"x\"}|422|changes",
                "{\"reason\": \" \", \"changes\": []}|422|reason",
                "{\"reason\": 5, \"changes\": []}|422|reason",
                "{\"reason\": \"x\", \"changes\": [{\"op\": \"drop\", \"kind\": \"policy\", \"entry\": {}}]}|422|changes[0].op",
                "{\"reason\": \"x\", \"changes\": [], \"expires_at\": \"soon\"}|422|expires_at",
                "{\"reason\": \"x\", \"changes\": [], \"approved\": true}|400|approved",
                "{\"reason\": \"x\", \"changes\": [{\"op\": \"delete\", \"kind\": \"policy\", \"id\": \"pr-none\"}]}|404|pr-none",
                "[]|400|proposal"
            })
    void what_is_wrong_with_a_proposal_is_named(String body, int status, String named) {
        as(author).body(body).post("proposals").then().statusCode(status).body("detail", containsString(named));
    }

    @Test
    void its_end_lies_in_the_next_days_and_it_changes_something() {
        for (String end : List.of("2020-01-01T00:00:00Z", "2999-01-01T00:00:00Z")) {
            as(author)
                    .body("{\"reason\": \"x\", \"expires_at\": \"" + end + "\", \"changes\": ["
                            + put("pr-one", 1, false) + "]}")
                    .post("proposals")
                    .then()
                    .statusCode(422)
                    .body("errors.field", contains("expires_at"));
        }
        policy("pr-one", 1, false);
        propose("nothing", put("pr-one", 1, false)).then().statusCode(422).body("errors.field", contains("changes"));
        as(author)
                .body("{\"reason\": \"x\", \"changes\": [" + put("pr-one", 2, false) + "]}")
                .post("proposals?dry_run=true")
                .then()
                .statusCode(200)
                .header("X-Meridian-Dry-Run", "true")
                .body("id", nullValue(), "changes", hasSize(1));
        as(viewer)
                .body("{\"reason\": \"x\", \"changes\": [" + put("pr-one", 2, false) + "]}")
                .post("proposals")
                .then()
                .statusCode(403);
        as(viewer).get("proposals?state=closed").then().statusCode(422).body("errors.field", contains("state"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "x", "-1", "9999999999999999999"})
    void one_that_does_not_exist_is_not_found(String id) {
        as(viewer).get("proposals/" + id).then().statusCode(404);
        for (String action : List.of("approve", "reject", "withdraw", "apply")) {
            as(other).post("proposals/" + id + "/" + action).then().statusCode(404);
        }
    }

    @Test
    void the_description_of_the_api_has_schemas_and_examples_of_the_calls() {
        String api = given().get("/q/openapi").asString();

        assertThat(api)
                .contains(
                        "/admin/api/v1/explain:",
                        "/admin/api/v1/proposals/{id}/apply:",
                        "/admin/api/v1/audit/{id}/revert:")
                .contains("Explanation:", "MismatchItem:", "ProposalItem:", "ProposalRequest:", "ExplainRequest:")
                .contains("double the limit for the sale");
    }

    private Response propose(String reason, String changes) {
        return as(author)
                .body("{\"reason\": \"" + reason + "\", \"changes\": [" + changes + "]}")
                .post("proposals");
    }

    private static String put(String id, int limit, boolean isProtected) {
        return "{\"op\": \"put\", \"kind\": \"policy\", \"entry\": " + entry(id, limit, isProtected) + "}";
    }

    private static String delete(String id) {
        return "{\"op\": \"delete\", \"kind\": \"policy\", \"id\": \"" + id + "\"}";
    }

    private static String entry(String id, int limit, boolean isProtected) {
        return POLICY.formatted(id, limit, isProtected);
    }

    private static void policy(String id, int limit, boolean isProtected) {
        admin().body(entry(id, limit, isProtected)).put("policies/" + id).then().statusCode(oneOf(200, 201));
    }
}
