package io.meridian.config.api;

import static io.meridian.config.api.Admin.admin;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;

import io.meridian.config.ServiceTest;
import io.meridian.config.database.Database;
import io.restassured.response.Response;
import jakarta.inject.Inject;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Reverts of changes from the audit trail. */
@ServiceTest
class RevertTest {
    @Inject
    @SuppressWarnings("NullAway.Init")
    Database database;

    @BeforeEach
    void ready() throws Exception {
        Admin.awaitReady();
        Sample.prepare();
    }

    @ParameterizedTest
    @EnumSource
    void every_change_of_an_entry_can_be_reverted(Sample of) {
        admin().delete(of.path("revert"));
        admin().body(of.entry("revert", 1)).put(of.path("revert")).then().statusCode(201);
        int created = lastRow(of);
        admin().body(of.entry("revert", 2)).put(of.path("revert")).then().statusCode(200);
        int replaced = lastRow(of);

        revert(replaced, "?dry_run=true").then().statusCode(200).header("X-Meridian-Dry-Run", "true");
        admin().get(of.path("revert")).then().body(of.field, equalTo(of.content(2)));
        revert(replaced, "").then().statusCode(200).body("results[0].op", equalTo("replaced"));
        admin().get(of.path("revert")).then().body(of.field, equalTo(of.content(1)));

        admin().delete(of.path("revert")).then().statusCode(204);
        revert(lastRow(of), "").then().statusCode(200).body("results[0].op", equalTo("created"));
        admin().get(of.path("revert")).then().body(of.field, equalTo(of.content(1)));
        admin().get("audit?limit=1&id=" + of.id("revert"))
                .then()
                .body("items[0].action", equalTo("created"), "items[0].actor", equalTo("bootstrap (bootstrap)"));

        revert(created, "").then().statusCode(409);
        revert(lastRow(of), "").then().statusCode(200).body("results[0].op", equalTo("deleted"));
        admin().get(of.path("revert")).then().statusCode(404);
    }

    @Test
    void later_changes_stand_in_the_way_and_are_named() {
        admin().body(Sample.TIERS.entry("revert-later", 1)).put("tiers/revert-later");
        admin().body(Sample.TIERS.entry("revert-later", 2)).put("tiers/revert-later");
        int first = lastRow("tier", "revert-later");
        admin().body(Sample.TIERS.entry("revert-later", 3)).put("tiers/revert-later");
        int second = lastRow("tier", "revert-later");
        Ledger before = Ledger.of(database);

        for (String query : List.of("", "?dry_run=true")) {
            revert(first, query)
                    .then()
                    .statusCode(409)
                    .body("type", equalTo("urn:meridian:problem:conflict"))
                    .body("errors.field", contains("audit " + second))
                    .body("errors[0].value", containsString("replaced by bootstrap"));
        }
        assertThat(Ledger.of(database)).isEqualTo(before);

        revert(second, "").then().statusCode(200);
        revert(first, "").then().statusCode(409).body("errors.field", hasItem("audit " + second));
        admin().get("tiers/revert-later").then().body("description", equalTo("2"));
    }

    @Test
    void a_row_that_is_no_change_of_an_entry_is_refused() {
        admin().get("audit?limit=1&kind=token");
        Admin.token("reverted", "viewer");
        int token = admin().get("audit?limit=1&kind=token").path("items[0].id");
        revert(token, "").then().statusCode(422).body("errors[0].rule", containsString("created of a token"));
        for (String id : List.of("0", "x", "-1", "99999999999999999", "9999999999999999999999")) {
            admin().post("audit/" + id + "/revert").then().statusCode(404);
        }
        admin().get("audit/" + token + "/revert").then().statusCode(404);
        admin().post("audit/" + token + "/revert?x=1").then().statusCode(400);
    }

    @Test
    void viewers_and_strangers_may_not_revert() {
        admin().body(Sample.TIERS.entry("revert-roles", Admin.revision())).put("tiers/revert-roles");
        int row = lastRow("tier", "revert-roles");
        Ledger before = Ledger.of(database);
        Admin.as(Admin.token("revert viewer", "viewer"))
                .post("audit/" + row + "/revert")
                .then()
                .statusCode(403);
        Admin.anonymous().post("audit/" + row + "/revert").then().statusCode(401);
        assertThat(Ledger.of(database).revision()).isEqualTo(before.revision());
    }

    @Test
    void what_refers_to_the_entry_keeps_it() {
        admin().delete("client-tiers/user_id:revert-client");
        admin().delete("tiers/revert-used");
        admin().body(Sample.TIERS.entry("revert-used", 1)).put("tiers/revert-used");
        int row = lastRow("tier", "revert-used");
        admin().body("""
                        {"identifier_type": "user_id", "identifier": "revert-client", "tier": "revert-used"}""").put("client-tiers/user_id:revert-client").then().statusCode(201);

        revert(row, "").then().statusCode(409).body("type", equalTo("urn:meridian:problem:in-use"));
    }

    private static Response revert(int row, String query) {
        return admin().post("audit/" + row + "/revert" + query);
    }

    private static int lastRow(Sample of) {
        String kind =
                switch (of) {
                    case POLICIES -> "policy";
                    case TIERS -> "tier";
                    case CLIENT_TIERS -> "client-tier";
                    case OVERRIDES -> "override";
                    case ALLOW_LIST -> "allow";
                    case DENY_LIST -> "deny";
                };
        return lastRow(kind, of.id("revert"));
    }

    private static int lastRow(String kind, String id) {
        return admin().get("audit?limit=1&kind=" + kind + "&id=" + id).path("items[0].id");
    }
}
