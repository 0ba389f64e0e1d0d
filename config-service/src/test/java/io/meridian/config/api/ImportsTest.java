package io.meridian.config.api;

import static io.meridian.config.api.Admin.admin;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;

import io.meridian.config.ServiceTest;
import io.restassured.response.ValidatableResponse;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@ServiceTest
class ImportsTest {
    @BeforeEach
    void ready() throws Exception {
        Admin.awaitReady();
    }

    @Test
    void ten_thousand_lines_are_one_change() {
        csv("identifier_type,identifier\n", "replace").statusCode(200);
        long before = revision();
        String lines = IntStream.range(0, 10_000)
                .mapToObj(i -> "{\"identifier_type\": \"api_key\", \"identifier\": \"bulk-" + i + "\"}")
                .collect(Collectors.joining("\n"));

        ndjson(lines, "merge").statusCode(200).body("state", equalTo("done")).body("created", equalTo(10_000));

        assertThat(revision()).isEqualTo(before + 1);
        admin().get("allow-list/api_key:bulk-9999").then().statusCode(200);
        admin().queryParam("kind", "allow")
                .queryParam("action", "imported")
                .get("audit")
                .then()
                .body("items[0].after.created", equalTo(10_000));
        ndjson(lines, "merge").statusCode(200).body("created", equalTo(0)).body("replaced", equalTo(0));
        csv("identifier_type,identifier\napi_key,bulk-7\n", "replace").body("deleted", equalTo(9_999));
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
        admin().get("imports/999999").then().statusCode(404);
        admin().get("imports/x").then().statusCode(404);
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
