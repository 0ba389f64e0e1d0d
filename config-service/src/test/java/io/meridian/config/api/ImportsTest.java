package io.meridian.config.api;

import static io.meridian.config.api.Admin.admin;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;

import io.meridian.config.AdminTokenResource;
import io.meridian.config.ServiceTest;
import io.meridian.testkit.TestAmounts;
import io.restassured.response.ValidatableResponse;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@ServiceTest
class ImportsTest {
    /** A batch has a thousand lines. */
    private static final int LINES = TestAmounts.of(2_500, 10_000);

    @BeforeEach
    void ready() throws Exception {
        Admin.awaitReady();
    }

    @Test
    void lines_of_many_batches_are_one_change() {
        csv("identifier_type,identifier\n", "replace").statusCode(200);
        long before = revision();
        String lines = IntStream.range(0, LINES)
                .mapToObj(i -> "{\"identifier_type\": \"api_key\", \"identifier\": \"bulk-" + i + "\"}")
                .collect(Collectors.joining("\n"));

        ndjson(lines, "merge").statusCode(200).body("state", equalTo("done")).body("created", equalTo(LINES));

        assertThat(revision()).isEqualTo(before + 1);
        admin().get("allow-list/api_key:bulk-" + (LINES - 1)).then().statusCode(200);
        admin().queryParam("kind", "allow")
                .queryParam("action", "imported")
                .get("audit")
                .then()
                .body("items[0].after.created", equalTo(LINES));
        ndjson(lines, "merge").statusCode(200).body("created", equalTo(0)).body("replaced", equalTo(0));
        csv("identifier_type,identifier\napi_key,bulk-7\n", "replace").body("deleted", equalTo(LINES - 1));
        csv("identifier_type,identifier\n", "replace").statusCode(200).body("deleted", equalTo(1));
    }

    @Test
    void a_wrong_line_leaves_everything_as_it_was() {
        long before = revision();

        csv("identifier_type,identifier,reason\nip,10.0.0.0/8,ours\nip,nowhere,typo\nip,10.1.2.3/8,again\n", "merge")
                .statusCode(422)
                .body("state", equalTo("refused"))
                .body("errors.line", hasItem(3))
                .body("errors.line", hasItem(4))
                .body("errors.reason", hasItem(containsString("nowhere")))
                .body("errors.reason", hasItem(containsString("line 2")));

        assertThat(revision()).isEqualTo(before);
        admin().get("allow-list/ip:10.0.0.0/8").then().statusCode(404);
    }

    @Test
    void what_is_replaced_is_in_the_audit_trail() {
        csv("identifier_type,identifier,reason\ntenant,imported-twice,first\n", "merge")
                .statusCode(200);
        csv("identifier_type,identifier,reason\ntenant,imported-twice,second\n", "merge")
                .statusCode(200)
                .body("replaced", equalTo(1));

        admin().queryParam("id", "tenant:imported-twice")
                .queryParam("action", "replaced")
                .get("audit")
                .then()
                .body("items[0].before.reason", equalTo("first"))
                .body("items[0].after.reason", equalTo("second"));
        admin().delete("allow-list/tenant:imported-twice").then().statusCode(204);
    }

    @Test
    void an_import_of_what_is_no_list_is_refused() {
        admin().contentType("text/csv")
                .body("a")
                .post("imports?list=tiers")
                .then()
                .statusCode(400);
        admin().contentType("text/csv")
                .body("a")
                .post("imports?list=deny-list&mode=x")
                .then()
                .statusCode(400);
        admin().contentType("application/xml")
                .body("a")
                .post("imports?list=deny-list")
                .then()
                .statusCode(415);
        for (String type : new String[] {"*/*", "text/*", "TEXT/PLAIN"}) {
            RawHttp.Answer answer = raw("Content-Type: " + type);
            assertThat(answer.status()).as(type + answer.text()).isEqualTo(415);
        }
        RawHttp.Answer nothing = raw("X-Nothing: 1");
        assertThat(nothing.status()).as(nothing.text()).isEqualTo(415);
        assertThat(nothing.text()).contains("text/csv or application/x-ndjson");
        assertThat(raw("Content-Type: Text/CSV").status()).isEqualTo(200);
        admin().get("imports/999999").then().statusCode(404);
        admin().get("imports/x").then().statusCode(404);
    }

    @Test
    void what_no_database_can_hold_is_a_wrong_line_and_the_next_import_is_taken() {
        for (String wrong : new String[] {
            "{\"identifier_type\": \"user_id\", \"identifier\": \"a\\u0000b\"}",
            "{\"identifier_type\": \"user_id\", \"a\\u0000b\": 1}",
            "{\"identifier_type\": \"user_id\", \"identifier\": \"a\\ud800b\"}",
            "\u0000"
        }) {
            ndjson(wrong, "merge").statusCode(422).body("state", equalTo("refused"));
        }
        csv("identifier_type,identifier\nuser_id,a\u0000b\n", "merge").statusCode(422);

        csv("identifier_type,identifier\n", "merge").statusCode(200);
    }

    @Test
    void a_rehearsal_counts_and_changes_nothing() {
        csv("identifier_type,identifier,reason\ntenant,kept,a\ntenant,changed,a\ntenant,gone,a\n", "replace")
                .statusCode(200);
        long before = revision();

        admin().contentType("text/csv")
                .body(
                        "identifier_type,identifier,reason\ntenant,kept,a\ntenant,changed,b\ntenant,new,a\ntenant,newer,a\n")
                .post("imports?list=allow-list&mode=replace&dry_run=true")
                .then()
                .statusCode(200)
                .header("X-Meridian-Dry-Run", "true")
                .body("state", equalTo("rehearsed"))
                .body("created", equalTo(2))
                .body("replaced", equalTo(1))
                .body("deleted", equalTo(1));

        assertThat(revision()).isEqualTo(before);
        admin().get("allow-list/tenant:gone").then().statusCode(200);
        admin().get("allow-list/tenant:new").then().statusCode(404);
        csv("identifier_type,identifier\n", "replace").statusCode(200).body("deleted", equalTo(3));
    }

    private static RawHttp.Answer raw(String header) {
        return new RawHttp("POST", Admin.BASE + "imports?list=allow-list")
                .as(AdminTokenResource.TOKEN)
                .header(header)
                .body("identifier_type,identifier\n".getBytes(StandardCharsets.UTF_8))
                .send();
    }

    private static ValidatableResponse ndjson(String body, String mode) {
        return admin().contentType("application/x-ndjson")
                .body(body.getBytes(StandardCharsets.UTF_8))
                .post("imports?list=allow-list&mode=" + mode)
                .then();
    }

    private static ValidatableResponse csv(String body, String mode) {
        return admin().contentType("text/csv")
                .body(body.getBytes(StandardCharsets.UTF_8))
                .post("imports?list=allow-list&mode=" + mode)
                .then();
    }

    private static long revision() {
        return admin().get("revision").jsonPath().getLong("revision");
    }
}
