package io.meridian.config.api;

import static io.meridian.config.api.Admin.admin;
import static io.meridian.config.api.Admin.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;

import io.meridian.config.AdminTokenResource;
import io.meridian.config.ServiceTest;
import io.meridian.config.database.Database;
import io.meridian.model.time.TimeSource;
import io.restassured.response.Response;
import io.vertx.core.buffer.Buffer;
import io.vertx.mutiny.sqlclient.Row;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ServiceTest
class TokensTest {
    @Inject
    Database database;

    @BeforeEach
    void ready() throws Exception {
        Admin.awaitReady();
    }

    @Test
    void a_token_is_shown_once_and_works_until_it_is_revoked() {
        Response made = admin().body(
                        "{\"name\": \"a robot\", \"role\": \"editor\", \"expires_at\": \"2999-01-01T00:00:00Z\"}")
                .post("tokens");
        made.then()
                .statusCode(201)
                .header("Cache-Control", "no-store")
                .body("role", equalTo("editor"))
                .body("created_by", equalTo("bootstrap (bootstrap)"))
                .body("expires_at", equalTo("2999-01-01T00:00:00Z"));
        String token = made.path("token");
        String id = made.path("id");
        assertThat(token).matches("mrd_[A-Za-z0-9_-]{43}");
        as(token).get("revision").then().statusCode(200);
        admin().get("tokens?limit=1000")
                .then()
                .body("items.id", hasItem(id))
                .body("items[0].token", nullValue())
                .body("items[0].hash", nullValue())
                .body(not(containsString(token)));

        admin().delete("tokens/" + id + "?dry_run=true").then().statusCode(200).header("X-Meridian-Dry-Run", "true");
        as(token).get("revision").then().statusCode(200);
        admin().delete("tokens/" + id).then().statusCode(204);
        as(token).get("revision").then().statusCode(401);
        admin().delete("tokens/" + id).then().statusCode(404);
        admin().get("audit?kind=token&id=" + id)
                .then()
                .body("items.action", equalTo(List.of("deleted", "created")))
                .body("items[0].before.name", equalTo("a robot"))
                .body(not(containsString(token)));
    }

    @Test
    void a_token_that_has_ended_is_refused() {
        Instant now = Instant.EPOCH.plus(TimeSource.system().wallMicros(), ChronoUnit.MICROS);
        as(make("viewer", now.minusSeconds(1))).get("revision").then().statusCode(401);
        as(make("viewer", now.plus(1, ChronoUnit.DAYS))).get("revision").then().statusCode(200);
    }

    private static String make(String role, Instant end) {
        return admin().body("{\"name\": \"ending\", \"role\": \"%s\", \"expires_at\": \"%s\"}".formatted(role, end))
                .post("tokens")
                .then()
                .statusCode(201)
                .extract()
                .path("token");
    }

    @Test
    void only_a_hash_is_kept() throws Exception {
        String token = Admin.token("viewer");
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));

        assertThat(Ledger.number(database, "SELECT count(*) FROM token WHERE hash = $1", Buffer.buffer(hash)))
                .isEqualTo(1);
        for (Row row : database.read(session ->
                session.run("SELECT table_name::text FROM information_schema.tables WHERE table_schema = 'public'"))) {
            String table = row.getString(0);
            assertThat(Ledger.number(
                            database,
                            "SELECT count(*) FROM \"" + table + "\" t WHERE strpos(t::text, $1) > 0"
                                    + " OR strpos(t::text, $2) > 0",
                            token,
                            AdminTokenResource.TOKEN))
                    .as(table)
                    .isZero();
        }
    }

    @Test
    void the_last_admin_is_not_revoked() {
        admin().get("tokens?limit=1000")
                .then()
                .body("items.findAll { it.role == 'admin' }.id", equalTo(List.of("bootstrap")));
        admin().delete("tokens/bootstrap").then().statusCode(409).body("type", equalTo("urn:meridian:problem:in-use"));
        make("admin", Instant.EPOCH);
        admin().delete("tokens/bootstrap").then().statusCode(409);
        Response second =
                admin().body("{\"name\": \"second\", \"role\": \"admin\"}").post("tokens");
        admin().delete("tokens/bootstrap?dry_run=true").then().statusCode(200);
        as(second.path("token")).delete("tokens/" + second.path("id")).then().statusCode(204);
        admin().get("tokens").then().statusCode(200);
        List<String> ended = admin().get("tokens?limit=1000").path("items.findAll { it.name == 'ending' }.id");
        ended.forEach(id -> admin().delete("tokens/" + id).then().statusCode(204));
    }

    @Test
    void only_admins_manage_them() {
        for (String role : List.of("viewer", "editor")) {
            String token = Admin.token(role);
            as(token).get("tokens").then().statusCode(403).body("detail", containsString("admin"));
            as(token)
                    .body("{\"name\": \"x\", \"role\": \"admin\"}")
                    .post("tokens")
                    .then()
                    .statusCode(403);
            as(token).delete("tokens/bootstrap").then().statusCode(403);
            as(token).get("audit?limit=1").then().statusCode(200);
        }
        Admin.anonymous().get("tokens").then().statusCode(401);
        Admin.anonymous().body("{}").post("tokens").then().statusCode(401);
    }

    @Test
    void what_is_wrong_with_a_draft_is_named() {
        admin().body("{\"name\": \" \", \"role\": \"king\", \"expires_at\": \"soon\"}")
                .post("tokens")
                .then()
                .statusCode(422)
                .body("errors.field", hasItems("name", "role", "expires_at"));
        admin().body("{\"name\": \"x\", \"role\": \"viewer\", \"hash\": \"x\"}")
                .post("tokens")
                .then()
                .statusCode(400)
                .body("detail", containsString("hash"));
        admin().body("{\"name\": \"" + "mrd_" + "x".repeat(43) + "\", \"role\": \"viewer\"}")
                .post("tokens")
                .then()
                .statusCode(422)
                .body("errors.field", hasItem("name"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "null",
                "{\"name\": 5, \"role\": 5}",
                "{\"name\": {}, \"role\": []}",
                "{\"name\": \"a\\u0000b\", \"role\": \"viewer\"}",
                "{\"name\": \"\\ud800\", \"role\": \"viewer\"}",
                "{\"name\": \"a\", \"role\": \"VIEWER\"}",
                "{\"name\": \"a\", \"role\": \"viewer\", \"expires_at\": 5}",
                "{\"name\": \"a\", \"role\": \"viewer\", \"expires_at\": \"+99999-01-01T00:00:00Z\"}"
            })
    void a_draft_that_cannot_be_is_refused(String body) {
        assertThat(admin().body(body).post("tokens").statusCode()).isIn(400, 422);
    }

    @Test
    void a_rehearsal_makes_none_and_the_list_is_paged() {
        Admin.token("viewer");
        Admin.token("viewer");
        long before = Ledger.number(database, "SELECT count(*) FROM token");
        admin().body("{\"name\": \"rehearsed\", \"role\": \"admin\"}")
                .post("tokens?dry_run=true")
                .then()
                .statusCode(200)
                .header("X-Meridian-Dry-Run", "true")
                .body("token", nullValue());
        assertThat(Ledger.number(database, "SELECT count(*) FROM token")).isEqualTo(before);

        Response first = admin().get("tokens?limit=1");
        first.then().body("items", hasSize(1));
        Response second = admin().get("tokens?limit=1&cursor=" + first.path("next"));
        assertThat(second.<String>path("items[0].id")).isGreaterThan(first.path("items[0].id"));
        admin().get("tokens?from=2020-01-01T00:00:00Z&limit=1")
                .then()
                .statusCode(200)
                .body("items", hasSize(1));
        admin().get("tokens?to=2020-01-01T00:00:00Z").then().statusCode(200).body("items", hasSize(0));
        admin().get("tokens?to=soon").then().statusCode(400);
        admin().get("tokens?limit=0").then().statusCode(400);
        admin().get("tokens?name=x").then().statusCode(400);
        admin().get("tokens/bootstrap").then().statusCode(405);
        admin().delete("tokens/NO%20SUCH").then().statusCode(404);
    }
}
