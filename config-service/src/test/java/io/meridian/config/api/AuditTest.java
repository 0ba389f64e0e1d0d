package io.meridian.config.api;

import static io.meridian.config.api.Admin.admin;
import static io.meridian.testkit.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.nullValue;

import io.meridian.config.ServiceTest;
import io.meridian.config.database.Database;
import io.meridian.model.time.TimeSource;
import io.restassured.response.Response;
import jakarta.inject.Inject;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ServiceTest
class AuditTest {
    @Inject
    Database database;

    @BeforeEach
    void ready() throws Exception {
        Admin.awaitReady();
        Sample.prepare();
    }

    @Test
    void a_change_says_who_when_in_which_call_and_what_was_before_and_after() {
        admin().delete("policies/audited");
        Instant start = Instant.EPOCH.plus(TimeSource.system().wallMicros(), ChronoUnit.MICROS);
        admin().header("X-Request-Id", "call-1")
                .body(Sample.POLICIES.entry("audited", 1))
                .put("policies/audited")
                .then()
                .header("X-Request-Id", "call-1");
        String random = admin().body(Sample.POLICIES.entry("audited", 2))
                .put("policies/audited")
                .header("X-Request-Id");
        Response deleted = admin().delete("policies/audited");
        Instant end = Instant.EPOCH.plus(TimeSource.system().wallMicros(), ChronoUnit.MICROS);

        Response trail = admin().get("audit?kind=policy&id=audited&limit=3");

        trail.then()
                .statusCode(200)
                .body("items.action", equalTo(List.of("deleted", "replaced", "created")))
                .body("items.actor", everyItem(equalTo("bootstrap (bootstrap)")))
                .body("items[2].request_id", equalTo("call-1"))
                .body("items[1].request_id", equalTo(random))
                .body("items[0].request_id", equalTo(deleted.header("X-Request-Id")))
                .body("items[2].before", nullValue())
                .body("items[2].after.limit", equalTo(1))
                .body("items[1].before.limit", equalTo(1))
                .body("items[1].after.limit", equalTo(2))
                .body("items[0].before.limit", equalTo(2))
                .body("items[0].after", nullValue())
                .body("items[0].revision", equalTo(Integer.parseInt(deleted.header("X-Meridian-Revision"))));
        trail.<List<String>>path("items.at")
                .forEach(at -> assertThat(Instant.parse(at)).isBetween(start, end));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a\tb", "5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e"})
    void a_request_id_that_cannot_be_used_is_replaced(String sent) {
        assertThat(admin().header("X-Request-Id", sent).get("revision").header("X-Request-Id"))
                .matches("[0-9a-f]{16}");
        assertThat(admin().header("X-Request-Id", "x".repeat(129))
                        .get("revision")
                        .header("X-Request-Id"))
                .matches("[0-9a-f]{16}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE audit SET actor = 'nobody'",
                "DELETE FROM audit",
                "TRUNCATE audit",
                "UPDATE audit SET id = DEFAULT WHERE id = (SELECT max(id) FROM audit)",
                "INSERT INTO audit (id, at, actor, request_id, action, kind, entry_id)"
                        + " OVERRIDING SYSTEM VALUE SELECT id, at, 'x', '', '', '', '' FROM audit"
                        + " ON CONFLICT (id) DO UPDATE SET actor = 'x'"
            })
    void the_database_refuses_to_change_what_was_written(String sql) {
        admin().body(Sample.TIERS.entry("immutable", Admin.revision())).put("tiers/immutable");
        Ledger before = Ledger.of(database);
        String rows = digest();

        assertThatThrownBy(() -> database.read(session -> session.run(sql))).hasMessageContaining("immutable");

        assertThat(Ledger.of(database)).isEqualTo(before);
        assertThat(digest()).isEqualTo(rows);
    }

    private String digest() {
        return database.read(session -> session.run(
                        "SELECT md5(string_agg(a::text, '' ORDER BY id)) FROM audit a WHERE action <> 'refused'"))
                .iterator()
                .next()
                .getString(0);
    }

    /** The trigger is what refuses: within a transaction that is undone, the same statement works without it. */
    @Test
    void without_the_guard_it_could_be_changed() {
        assertThatThrownBy(() -> database.transaction(session -> {
                    session.run("ALTER TABLE audit DISABLE TRIGGER audit_rows_stay");
                    assertThat(session.run("DELETE FROM audit").rowCount()).isPositive();
                    throw new IllegalStateException("undone");
                }))
                .hasMessage("undone");
    }

    @Test
    void the_audit_row_is_of_the_transaction_of_the_change() {
        admin().body(Sample.TIERS.entry("together", Admin.revision())).put("tiers/together");

        assertThat(Ledger.number(
                        database,
                        "SELECT count(*) FROM audit a JOIN tier t ON t.id = a.entry_id AND t.xmin = a.xmin"
                                + " WHERE a.kind = 'tier' AND t.id = $1",
                        "together"))
                .isEqualTo(1);
    }

    @Test
    void refused_calls_are_counted() throws Exception {
        String viewer = Admin.token("counted viewer", "viewer");
        long before = refused("nobody", "no token", "PoliciesResource.list");
        for (int i = 0; i < 5; i++) {
            Admin.anonymous().get("policies").then().statusCode(401);
            Admin.as("wrong").delete("policies/x").then().statusCode(401);
            Admin.as(viewer).get("tokens").then().statusCode(403);
        }

        // Anonymous calls of other tests may be written meanwhile; the viewer is this test's own.
        eventually("the refused calls are written")
                .until(() -> refused("nobody", "no token", "PoliciesResource.list") >= before + 5
                        && refused("nobody", "wrong token", "PoliciesResource.delete") >= 5
                        && refused("counted viewer%", "forbidden", "TokensResource.list") >= 5);
        assertThat(refused("counted viewer%", "forbidden", "TokensResource.list"))
                .isEqualTo(5);
        admin().get("audit?action=refused&kind=call&limit=1")
                .then()
                .body("items", hasSize(1))
                .body("items[0].revision", nullValue());
    }

    private long refused(String actor, String reason, String what) {
        return Ledger.number(
                database,
                "SELECT coalesce(sum((after ->> 'count')::bigint), 0)::bigint FROM audit WHERE action = 'refused'"
                        + " AND actor LIKE $1 AND after ->> 'reason' = $2 AND entry_id = $3",
                actor,
                reason,
                what);
    }

    @Test
    void the_trail_is_filtered_and_paged() {
        for (int i = 0; i < 5; i++) {
            admin().body(Sample.TIERS.entry("trail", 1_000_000 + Admin.revision()))
                    .put("tiers/trail");
        }
        List<Integer> whole = admin().get("audit?kind=tier&id=trail").path("items.id");
        List<Integer> walked = new ArrayList<>();
        String next = "";
        do {
            Response page = admin().get("audit?kind=tier&id=trail&limit=2" + (next.isEmpty() ? "" : "&cursor=" + next));
            walked.addAll(page.<List<Integer>>path("items.id"));
            String cursor = page.path("next");
            next = cursor == null ? "" : cursor;
        } while (!next.isEmpty());
        assertThat(walked).isEqualTo(whole).hasSizeGreaterThanOrEqualTo(5);
        assertThat(walked).isSortedAccordingTo((a, b) -> b.compareTo(a));

        String last = admin().get("audit?kind=tier&id=trail&limit=1").path("items[0].at");
        admin().get("audit?kind=tier&id=trail&from=" + last).then().body("items", hasSize(1));
        admin().get("audit?id=trail&to=" + last).then().body("items", hasSize(whole.size() - 1));
        admin().get("audit?actor=stranger").then().body("items", hasSize(0));
        admin().get("audit?id=trail&action=deleted").then().body("items", hasSize(0));
        Admin.as(Admin.token("viewer")).get("audit?limit=1").then().statusCode(200);
        Admin.anonymous().get("audit").then().statusCode(401);
        admin().delete("audit").then().statusCode(405);
        admin().body("{}").post("audit").then().statusCode(405);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "from=yesterday",
                "to=2026-01-01",
                "from=%2B1000000000-12-31T23:59:59.999999999Z",
                "to=-999999999-01-01T00:00:00Z",
                "cursor=eA",
                "cursor=LTE",
                "limit=1001",
                "limit=1e2"
            })
    void a_question_that_cannot_be_read_is_refused(String query) {
        admin().urlEncodingEnabled(false)
                .get("audit?" + query)
                .then()
                .statusCode(400)
                .body("errors.field", hasItem(query.replaceAll("=.*", "")));
        admin().get("audit?who=me").then().statusCode(400).body("detail", containsString("who"));
    }
}
