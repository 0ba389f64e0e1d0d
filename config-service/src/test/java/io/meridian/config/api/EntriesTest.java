package io.meridian.config.api;

import static io.meridian.config.api.Admin.admin;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.startsWith;

import io.meridian.config.ServiceTest;
import io.meridian.config.database.Database;
import io.restassured.response.Response;
import jakarta.inject.Inject;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What holds of every kind of entries. */
@ServiceTest
class EntriesTest {
    @Inject
    Database database;

    @BeforeEach
    void ready() throws Exception {
        Admin.awaitReady();
        Sample.prepare();
    }

    @ParameterizedTest
    @EnumSource
    void an_entry_is_created_read_replaced_patched_and_deleted(Sample of) {
        String path = of.path("life");
        Response created = admin().body(of.entry("life", 1)).post(of.collection);
        created.then()
                .statusCode(201)
                .header("Location", startsWith("/admin/api/v1/" + of.collection))
                .header("X-Meridian-Revision", Integer.toString(Admin.revision()))
                .body(of.field, equalTo(of.content(1)))
                .body("warnings", equalTo(List.of()));
        int version = created.path("version");
        assertThat(created.header("ETag")).isEqualTo("\"" + version + "\"");

        admin().header("If-Match", created.header("ETag"))
                .body(of.entry("life", 1))
                .post(of.collection)
                .then()
                .statusCode(412);
        Response read = admin().get(path);
        read.then().statusCode(200).header("ETag", created.header("ETag"));
        for (String known : List.of(created.header("ETag"), "\"x\", W/" + created.header("ETag"), "*")) {
            Response unchanged = admin().header("If-None-Match", known).get(path);
            unchanged.then().statusCode(304).header("ETag", created.header("ETag"));
            assertThat(unchanged.body().asString()).isEmpty();
        }
        for (String unknown : List.of("\"x\"", "no tag", ",,\"")) {
            admin().header("If-None-Match", unknown).get(path).then().statusCode(200);
        }
        assertThat(read.asString()).isEqualTo(Admin.stored(created));
        Response located = admin().basePath("").urlEncodingEnabled(false).get(created.header("Location"));
        assertThat(located.asString()).isEqualTo(Admin.stored(created));

        Response replaced = admin().body(of.entry("life", 2)).put(path);
        replaced.then()
                .statusCode(200)
                .body(of.field, equalTo(of.content(2)))
                .body("created_at", equalTo(created.path("created_at")));
        assertThat(replaced.<Integer>path("version")).isGreaterThan(version);

        admin().contentType("application/merge-patch+json")
                .body(of.patch(3))
                .patch(path)
                .then()
                .statusCode(200)
                .body(of.field, equalTo(of.content(3)));
        admin().delete(path).then().statusCode(204);
        admin().get(path).then().statusCode(404).body("type", equalTo("urn:meridian:problem:not-found"));

        Response again = admin().body(of.entry("life", 1)).post(of.collection);
        assertThat(again.<Integer>path("version"))
                .as("versions go on over a deletion")
                .isGreaterThan(replaced.path("version"));
        admin().delete(path).then().statusCode(204);
    }

    @ParameterizedTest
    @EnumSource
    void what_was_read_may_be_sent_back_and_changes_nothing(Sample of) {
        admin().body(of.entry("same", 1)).put(of.path("same"));
        String read = admin().get(of.path("same")).asString();
        Ledger before = Ledger.of(database);

        Response put = admin().body(read).put(of.path("same"));
        put.then().statusCode(200);
        Response patched = admin().body(of.patch(1)).patch(of.path("same"));
        patched.then().statusCode(200);
        assertThat(List.of(Admin.stored(put), Admin.stored(patched))).containsOnly(read);
        admin().body(put.asString()).put(of.path("same")).then().statusCode(200);

        assertThat(Ledger.of(database)).isEqualTo(before);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "POLICIES")
    void an_entry_says_who_created_it_whoever_changes_it_later(Sample of) {
        String editor = Admin.token("author", "editor");
        String author = Admin.as(editor)
                .body(of.entry("made", 1))
                .put(of.path("made"))
                .then()
                .statusCode(201)
                .body("created_by", startsWith("author"))
                .extract()
                .path("created_by");

        admin().body(of.entry("made", 2)).put(of.path("made")).then().statusCode(200);

        admin().get(of.path("made")).then().body("created_by", equalTo(author));
        admin().get(of.collection + "?limit=1000")
                .then()
                .body("items.find { it.created_by == '" + author + "' }", notNullValue());
        admin().delete(of.path("made")).then().statusCode(204);
        admin().body(of.entry("made", 1))
                .put(of.path("made"))
                .then()
                .statusCode(201)
                .body("created_by", not(equalTo(author)));
        admin().delete(of.path("made")).then().statusCode(204);
    }

    @ParameterizedTest
    @EnumSource
    void a_rehearsal_changes_nothing(Sample of) {
        admin().body(of.entry("kept", 1)).put(of.path("kept"));
        String kept = admin().get(of.path("kept")).asString();
        Ledger before = Ledger.of(database);

        admin().body(of.entry("rehearsed", 1))
                .post(of.collection + "?dry_run=true")
                .then()
                .statusCode(200)
                .header("X-Meridian-Dry-Run", "true")
                .body(of.field, equalTo(of.content(1)));
        admin().body(of.entry("kept", 2))
                .put(of.path("kept") + "?dry_run=true")
                .then()
                .statusCode(200)
                .header("X-Meridian-Dry-Run", "true")
                .body(of.field, equalTo(of.content(2)));
        admin().body(of.patch(3))
                .patch(of.path("kept") + "?dry_run=true")
                .then()
                .statusCode(200)
                .header("X-Meridian-Dry-Run", "true")
                .body(of.field, equalTo(of.content(3)));
        admin().delete(of.path("kept") + "?dry_run=true")
                .then()
                .statusCode(200)
                .header("X-Meridian-Dry-Run", "true")
                .body(equalTo(kept));

        assertThat(Ledger.of(database)).isEqualTo(before);
        admin().get(of.path("rehearsed")).then().statusCode(404);
        admin().get(of.path("kept")).then().body(equalTo(kept));
        admin().body(of.entry("kept", 2)).put(of.path("kept") + "?dry_run=false");
        assertThat(Ledger.of(database)).as("without dry_run it does").isNotEqualTo(before);
    }

    @ParameterizedTest
    @EnumSource
    void one_that_exists_is_not_created_again(Sample of) {
        Response first = admin().body(of.entry("twice", 1)).put(of.path("twice"));

        admin().body(of.entry("twice", 2))
                .post(of.collection)
                .then()
                .statusCode(409)
                .header("ETag", first.header("ETag"))
                .body("type", equalTo("urn:meridian:problem:already-exists"));

        admin().get(of.path("twice")).then().body(of.field, equalTo(of.content(1)));
        admin().delete(of.path("twice"));
    }

    @ParameterizedTest
    @EnumSource
    void a_change_of_a_stale_version_is_refused_with_the_current_one(Sample of) {
        String path = of.path("stale");
        String first = admin().body(of.entry("stale", 1)).put(path).header("ETag");
        Response second =
                admin().header("If-Match", first).body(of.entry("stale", 2)).put(path);
        second.then().statusCode(200);

        List<Response> refused = List.of(
                admin().header("If-Match", first).body(of.entry("stale", 3)).put(path),
                admin().header("If-Match", first).body(of.patch(3)).patch(path),
                admin().header("If-Match", first).delete(path),
                admin().header("If-Match", "W/" + second.header("ETag")).delete(path),
                admin().header("If-None-Match", "*").body(of.entry("stale", 3)).put(path));

        for (Response each : refused) {
            each.then()
                    .statusCode(412)
                    .header("ETag", second.header("ETag"))
                    .body("type", equalTo("urn:meridian:problem:stale"))
                    .body("current.version", equalTo(second.<Integer>path("version")))
                    .body("current." + of.field, equalTo(of.content(2)));
        }
        admin().header("If-Match", "\"0\", " + second.header("ETag"))
                .delete(path)
                .then()
                .statusCode(204);
        admin().header("If-Match", "*")
                .body(of.entry("stale", 1))
                .put(path)
                .then()
                .statusCode(412);
        admin().header("If-None-Match", "*")
                .body(of.entry("stale", 1))
                .put(path)
                .then()
                .statusCode(201);
        admin().header("If-Match", "*").delete(path).then().statusCode(204);
    }

    @ParameterizedTest
    @EnumSource
    void what_does_not_exist_is_not_found(Sample of) {
        admin().get(of.path("nobody")).then().statusCode(404);
        admin().body(of.patch(1)).patch(of.path("nobody")).then().statusCode(404);
        admin().delete(of.path("nobody")).then().statusCode(404).body("detail", containsString("nobody"));
    }

    @ParameterizedTest
    @EnumSource
    void an_entry_keeps_its_id(Sample of) {
        admin().body(of.entry("mine", 1)).put(of.path("mine"));

        admin().body(of.entry("other", 1))
                .put(of.path("mine"))
                .then()
                .statusCode(422)
                .body("errors.field", hasItem("id"));
        admin().body(of.entry("other", 2))
                .patch(of.path("mine"))
                .then()
                .statusCode(422)
                .body("errors.field", hasItem("id"));

        admin().get(of.path("other")).then().statusCode(404);
        admin().get(of.path("mine")).then().body(of.field, equalTo(of.content(1)));
    }

    @ParameterizedTest
    @EnumSource
    void what_is_not_known_is_refused_by_name(Sample of) {
        admin().get(of.collection + "?colour=red").then().statusCode(400).body("detail", containsString("colour"));
        admin().get(of.path("x") + "?colour=red").then().statusCode(400);
        admin().delete(of.path("x") + "?limit=1").then().statusCode(400).body("detail", containsString("limit"));
        admin().body(of.entry("x", 1))
                .post(of.collection + "?dry_run=maybe")
                .then()
                .statusCode(400)
                .body("errors.field", hasItem("dry_run"));
        admin().body(of.entry("x", 1).replaceFirst("\\{", "{\"colour\": 1, "))
                .post(of.collection)
                .then()
                .statusCode(400)
                .body("type", equalTo("urn:meridian:problem:unknown-field"))
                .body("detail", containsString("colour"));
    }

    @ParameterizedTest
    @EnumSource
    void other_methods_and_kinds_of_bodies_are_refused(Sample of) {
        admin().body("{}").put(of.collection).then().statusCode(405);
        admin().delete(of.collection).then().statusCode(405);
        admin().body("{}").post(of.path("x")).then().statusCode(405).body("status", equalTo(405));
        admin().contentType("text/plain").body("{}").post(of.collection).then().statusCode(415);
        admin().contentType("application/xml")
                .body("<a/>")
                .put(of.path("x"))
                .then()
                .statusCode(415);
        admin().accept("text/html").get(of.collection).then().statusCode(406);
    }

    @Test
    void every_violated_field_is_named_at_once() {
        admin().body("{\"id\": \"\", \"key\": [], \"algorithm\": \"nope\", \"limit\": 0, \"window\": \"1x\"}")
                .post("policies")
                .then()
                .statusCode(422)
                .header("Content-Type", startsWith("application/problem+json"))
                .body("errors.field", hasItems("limit", "id", "window", "algorithm"));
        admin().body("{\"policy\": \"a b\", \"limit\": -1, \"burst\": -1, \"expires_at\": \"soon\"}")
                .post("overrides")
                .then()
                .statusCode(422)
                .body("errors.field", hasItems("limit", "burst", "policy", "expires_at"));
        admin().body("{\"identifier_type\": \"ip\", \"identifier\": \"300.1.1.1\", \"reason\": 5}")
                .post("deny-list")
                .then()
                .statusCode(422)
                .body("errors.field", hasItems("identifier", "reason"));
    }
}
