package io.meridian.config.api;

import static io.meridian.config.api.Admin.admin;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.nullValue;

import io.meridian.config.ServiceTest;
import io.meridian.config.database.Database;
import io.meridian.testkit.TestAmounts;
import io.meridian.testkit.TestSeeds;
import io.restassured.response.Response;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sets of changes: all or nothing, in any order. */
@ServiceTest
class ChangesTest {
    private static final List<String> WHOLE = List.of(
            "{\"op\": \"put\", \"kind\": \"tier\", \"entry\": {\"name\": \"set-tier\"}}",
            "{\"op\": \"put\", \"kind\": \"client-tier\", \"entry\":"
                    + " {\"identifier_type\": \"tenant\", \"identifier\": \"set\", \"tier\": \"set-tier\"}}",
            "{\"op\": \"put\", \"kind\": \"policy\", \"entry\": " + Sample.POLICIES.entry("set-policy", 5) + "}",
            "{\"op\": \"put\", \"kind\": \"override\", \"entry\": {\"policy\": \"set-policy\","
                    + " \"identifier_type\": \"tenant\", \"identifier\": \"set\", \"limit\": 9}}",
            "{\"op\": \"put\", \"kind\": \"allow\", \"entry\": {\"identifier_type\": \"ip\", \"identifier\": \"192.0.2.0/24\"}}",
            "{\"op\": \"put\", \"kind\": \"deny\", \"entry\": {\"identifier_type\": \"ip\", \"identifier\": \"2001:DB8::/32\"}}");
    private static final List<String> IDS = List.of(
            "tier set-tier",
            "client-tier tenant:set",
            "policy set-policy",
            "override set-policy:tenant:set",
            "allow ip:192.0.2.0/24",
            "deny ip:2001:db8::/32");

    @Inject
    Database database;

    @BeforeEach
    void ready() throws Exception {
        Admin.awaitReady();
    }

    @Test
    void the_order_within_a_set_does_not_matter() {
        TestSeeds.forEachHistory(TestAmounts.of(3, 10), seeds -> anOrderIsMadeAndUnmade(new Random(seeds.nextLong())));
    }

    private void anOrderIsMadeAndUnmade(Random random) {
        List<String> puts = new ArrayList<>(WHOLE);
        Collections.shuffle(puts, random);
        Response put = send(puts);
        put.then().statusCode(200).body("results.op", equalTo(Collections.nCopies(6, "created")));
        assertThat(put.<Integer>path("revision")).isEqualTo(Admin.revision());
        assertThat(put.<List<String>>path("results.id")).hasSameSizeAs(puts);
        Ledger stored = Ledger.of(database);
        send(puts).then().statusCode(200).body("results.op", equalTo(Collections.nCopies(6, "unchanged")));
        assertThat(Ledger.of(database)).isEqualTo(stored);

        List<String> deletes = new ArrayList<>();
        IDS.forEach(each -> deletes.add(delete(each.split(" ", -1)[0], each.split(" ", -1)[1])));
        Collections.shuffle(deletes, random);
        send(deletes)
                .then()
                .statusCode(200)
                .body("results.op", equalTo(Collections.nCopies(6, "deleted")))
                .body("results[0].entry", nullValue());
    }

    @Test
    void one_that_cannot_be_made_undoes_all() {
        Ledger before = Ledger.of(database);

        List<String> missing = new ArrayList<>(WHOLE);
        missing.add(delete("policy", "was-never"));
        send(missing).then().statusCode(404).body("detail", containsString("was-never"));
        List<String> twice = new ArrayList<>(WHOLE);
        twice.add(delete("tier", "set-tier"));
        send(twice).then().statusCode(422).body("errors.field", hasItem("changes[6]"));
        List<String> dangling = new ArrayList<>(WHOLE);
        dangling.remove(2);
        send(dangling).then().statusCode(422).body("errors.field", hasItem("policy"));

        assertThat(Ledger.of(database)).isEqualTo(before);
        admin().get("tiers/set-tier").then().statusCode(404);
    }

    @Test
    void a_rehearsal_of_a_set_says_what_would_be_and_changes_nothing() {
        Ledger before = Ledger.of(database);
        admin().body(body(WHOLE))
                .post("changes?dry_run=true")
                .then()
                .statusCode(200)
                .header("X-Meridian-Dry-Run", "true")
                .body("revision", equalTo((int) before.revision() + 1))
                .body("results.op", equalTo(Collections.nCopies(6, "created")));
        assertThat(Ledger.of(database)).isEqualTo(before);
    }

    @Test
    void a_set_that_rests_on_another_rulebook_than_there_is_changes_nothing() {
        String seen = admin().get("revision").header("ETag");
        send(List.of(put("first-come"))).then().statusCode(200);
        Ledger before = Ledger.of(database);

        for (String call : List.of("changes", "changes?dry_run=true")) {
            admin().header("If-Match", seen)
                    .body(body(List.of(put("too-late"))))
                    .post(call)
                    .then()
                    .statusCode(412)
                    .body("detail", containsString("the rulebook is at revision " + before.revision()));
        }
        admin().header("If-Match", "17")
                .body(body(List.of(put("too-late"))))
                .post("changes")
                .then()
                .statusCode(400);
        admin().header("If-None-Match", "*")
                .body(body(List.of(put("too-late"))))
                .post("changes")
                .then()
                .statusCode(400);
        assertThat(Ledger.of(database)).isEqualTo(before);

        admin().header("If-Match", admin().get("revision").header("ETag"))
                .body(body(List.of(delete("tier", "first-come"))))
                .post("changes")
                .then()
                .statusCode(200);
    }

    @Test
    void everything_wrong_is_named_under_its_place() {
        send(List.of(
                        "{\"op\": \"put\", \"kind\": \"policy\", \"entry\": {\"id\": \"a\", \"limit\": 0}}",
                        "{\"op\": \"upsert\", \"kind\": \"tier\", \"entry\": {\"name\": \"b\"}}",
                        "{\"op\": \"delete\", \"kind\": \"planet\", \"id\": \"c\"}",
                        "{\"op\": \"delete\", \"kind\": \"deny\", \"id\": \"nobody\"}"))
                .then()
                .statusCode(422)
                .body(
                        "errors.field",
                        hasItems(
                                "changes[0].limit",
                                "changes[0].window",
                                "changes[1].op",
                                "changes[2].kind",
                                "changes[3].id"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "null",
                "5",
                "{\"changes\": 5}",
                "{\"changes\": [5]}",
                "{\"changes\": []}",
                "{\"changes\": [null]}",
                "{\"changes\": [{\"op\": \"put\", \"kind\": \"tier\", \"entry\": 5}]}",
                "{\"changes\": [{\"op\": \"put\", \"kind\": \"tier\"}]}",
                "{\"changes\": [{\"op\": \"put\", \"kind\": \"tier\", \"entry\": {\"name\": \"a\", \"x\": 1}}]}",
                "{\"changes\": [{\"op\": \"delete\", \"kind\": \"tier\", \"id\": \"a\", \"entry\": {}}]}",
                "{\"changes\": [{\"op\": \"delete\", \"kind\": \"tier\", \"id\": {\"a\": 1}}]}",
                "{\"changes\": [], \"more\": 1}"
            })
    void what_is_no_set_of_changes_is_refused(String body) {
        Ledger before = Ledger.of(database);
        int status = admin().body(body).post("changes").statusCode();
        assertThat(status).isIn(400, 422);
        assertThat(Ledger.of(database)).isEqualTo(before);
    }

    @Test
    void a_set_is_bounded_and_a_large_one_is_made() {
        List<String> many = IntStream.range(0, 10_001)
                .mapToObj(i -> "{\"op\": \"put\", \"kind\": \"allow\", \"entry\":"
                        + " {\"identifier_type\": \"user_id\", \"identifier\": \"many-" + i + "\"}}")
                .toList();
        send(many).then().statusCode(422).body("errors.field", hasItem("changes"));
        List<String> some = many.subList(0, 1_000);
        send(some).then().statusCode(200);
        send(some.stream()
                        .map(each -> delete("allow", "user_id:" + each.replaceAll(".*(many-[0-9]+).*", "$1")))
                        .toList())
                .then()
                .statusCode(200);
    }

    @Test
    void only_editors_make_them() {
        Admin.anonymous().body(body(WHOLE)).post("changes").then().statusCode(401);
        Admin.as(Admin.token("viewer"))
                .body(body(WHOLE))
                .post("changes?dry_run=true")
                .then()
                .statusCode(403);
        admin().get("changes").then().statusCode(405);
        admin().body(body(WHOLE)).post("changes?force=true").then().statusCode(400);
    }

    private static String put(String tier) {
        return "{\"op\": \"put\", \"kind\": \"tier\", \"entry\": {\"name\": \"%s\"}}".formatted(tier);
    }

    private static String delete(String kind, String id) {
        return "{\"op\": \"delete\", \"kind\": \"%s\", \"id\": \"%s\"}".formatted(kind, id);
    }

    private static Response send(List<String> changes) {
        return admin().body(body(changes)).post("changes");
    }

    private static String body(List<String> changes) {
        return changes.stream().collect(Collectors.joining(",", "{\"changes\": [", "]}"));
    }
}
