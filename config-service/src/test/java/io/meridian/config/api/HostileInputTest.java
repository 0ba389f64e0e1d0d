package io.meridian.config.api;

import static io.meridian.config.api.Admin.BASE;
import static io.meridian.config.api.Admin.admin;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;

import io.meridian.config.AdminTokenResource;
import io.meridian.config.ServiceTest;
import io.meridian.config.database.Database;
import jakarta.inject.Inject;
import java.net.URLEncoder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Input that means harm is the caller's error, and does none. */
@ServiceTest
class HostileInputTest {
    private static final String TOKEN = AdminTokenResource.TOKEN;
    private static final String POLICY = Sample.POLICIES.entry("hostile", 1);

    @Inject
    Database database;

    @BeforeEach
    void ready() throws Exception {
        Admin.awaitReady();
        Sample.prepare();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'; DROP TABLE policy; --",
                "' OR '1'='1",
                "\"; DELETE FROM audit; --",
                "$1",
                "%' OR id LIKE '%",
                "\\'; SELECT pg_sleep(10); --",
                "${jndi:ldap://x}",
                "{{7*7}}",
                "../../etc/passwd",
                "a:b:c://d?e#f&g=h;i=j",
                "ünï çødé ☃ 𝄞",
                "%2e%2e%2f",
                "%",
                "a+b c",
                "."
            })
    void text_of_any_kind_is_only_text(String text) {
        Map<String, String> entry = Map.of("identifier_type", "user_id", "identifier", text, "reason", text);
        String encoded = "deny-list/user_id:"
                + URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
        String located = admin().body(entry)
                .post("deny-list")
                .then()
                .statusCode(201)
                .extract()
                .header("Location");

        admin().urlEncodingEnabled(false)
                .get(encoded)
                .then()
                .statusCode(200)
                .body("identifier", equalTo(text))
                .body("reason", equalTo(text))
                .body("id", equalTo("user_id:" + text));
        admin().urlEncodingEnabled(false).basePath("").get(located).then().body("identifier", equalTo(text));
        admin().queryParam("identifier", text)
                .get("deny-list")
                .then()
                .statusCode(200)
                .body("items.identifier", equalTo(List.of(text)));
        admin().queryParam("id", "user_id:" + text).get("audit").then().body("items[0].after.reason", equalTo(text));
        admin().urlEncodingEnabled(false).delete(encoded).then().statusCode(204);
        admin().queryParam("actor", text).get("audit").then().body("items", equalTo(List.of()));
        admin().get("policies/sample").then().statusCode(200);
    }

    @Test
    void a_prefix_has_one_id_however_it_is_spelled() {
        admin().body("{\"identifier_type\": \"ip\", \"identifier\": \"192.0.2.9/24\"}")
                .post("deny-list")
                .then()
                .statusCode(201)
                .body("id", equalTo("ip:192.0.2.0/24"));
        for (String path : List.of("ip:192.0.2.0/24", "ip:192.0.2.0%2F24", "ip%3A192.0.2.0%2f24", "ip:192.0.2.77/24")) {
            admin().urlEncodingEnabled(false)
                    .get("deny-list/" + path)
                    .then()
                    .statusCode(200)
                    .body("id", equalTo("ip:192.0.2.0/24"));
        }
        admin().urlEncodingEnabled(false)
                .delete("deny-list/ip:192.0.2.0/24")
                .then()
                .statusCode(204);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "   ",
                "{",
                "nonsense",
                "{} {}",
                "{}x",
                "{\"id\": \"a\", \"id\": \"b\"}",
                "{'id': 'a'}",
                "{\"id\": NaN}",
                "{\"id\": 1e999999999}",
                "[]",
                "\"text\"",
                "5",
                "null",
                "true",
                "{\"limit\": {}}",
                "{\"id\": [[[[1]]]]}",
                "{\"applies_to\": {\"headers\": {\"a\": \"\\u0000\"}}}",
                "{\"name\": \"\\ud800\"}",
                "{\"key\": [\"\\udc00\"]}"
            })
    void a_body_of_the_wrong_form_is_refused(String body) {
        Ledger before = Ledger.of(database);
        for (Sample of : Sample.values()) {
            assertThat(admin().body(body).post(of.collection).statusCode())
                    .as(of.collection)
                    .isIn(400, 422);
            assertThat(admin().body(body).put(of.path("x")).statusCode())
                    .as(of.collection)
                    .isIn(400, 422);
        }
        assertThat(admin().body(body).put("adaptive").statusCode()).isIn(400, 422);
        assertThat(Ledger.of(database)).isEqualTo(before);
    }

    @Test
    void every_field_of_a_wrong_type_is_refused() {
        String whole = admin().get("policies/sample").asString();
        for (String field : List.of(
                "id",
                "name",
                "key",
                "algorithm",
                "limit",
                "window",
                "burst",
                "cost",
                "scope",
                "mode",
                "enabled",
                "applies_to",
                "priority",
                "soft_limit_percent",
                "adaptive",
                "endpoint_costs",
                "on_exhausted")) {
            for (String wrong : List.of("{\"a\": 1}", "[{}]", "1.5", "\"\\u0000\"", "99999999999999999999", "-1e400")) {
                int status = admin().body("{\"" + field + "\": " + wrong + "}")
                        .patch("policies/sample?dry_run=true")
                        .statusCode();
                assertThat(status).as("%s of %s", wrong, field).isIn(400, 422);
            }
        }
        admin().get("policies/sample").then().body(equalTo(whole));
    }

    @Test
    void deep_nesting_is_refused() {
        for (String deep :
                List.of("[".repeat(10_000), "{\"a\":".repeat(10_000), "[".repeat(10_000) + "]".repeat(10_000))) {
            for (String target : List.of("POST policies", "POST changes", "PATCH policies/sample")) {
                String[] parts = target.split(" ", -1);
                RawHttp call = new RawHttp(parts[0], BASE + parts[1]).as(TOKEN).json(deep);
                assertThat(call.send().status()).as(target).isEqualTo(400);
            }
        }
    }

    @Test
    void a_body_that_is_too_large_is_refused() {
        String padding = " ".repeat((256 << 10) - POLICY.length());
        admin().body(POLICY + padding).post("policies?dry_run=true").then().statusCode(200);
        admin().body(POLICY + padding + " ")
                .post("policies?dry_run=true")
                .then()
                .statusCode(413)
                .body("detail", containsString("262144"));
        RawHttp.Answer unknown = new RawHttp("POST", BASE + "policies")
                .json(POLICY + padding + padding)
                .send();
        assertThat(unknown.status()).isEqualTo(401);
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-16", "UTF-16LE", "UTF-32"})
    void a_body_of_another_encoding_is_refused(String charset) {
        byte[] bytes = POLICY.getBytes(Charset.forName(charset));
        for (String type : List.of("application/json", "application/json; charset=" + charset)) {
            RawHttp.Answer answer = new RawHttp("POST", BASE + "policies")
                    .as(TOKEN)
                    .header("Content-Type: " + type)
                    .body(bytes)
                    .send();
            assertThat(answer.status()).as(type).isIn(400, 415);
        }
    }

    @Test
    void bytes_that_are_no_utf8_are_refused() {
        String name = "\"name\": \"%s\", \"key\"";
        for (String bytes : List.of(
                "\u00ff\u00fe",
                "\u00c0\u0080",
                "\u00ed\u00a0\u0080",
                "\u00f5\u0080\u0080\u0080",
                "\u0000",
                "\u00e2\u0082")) {
            String body = POLICY.replace("\"key\"", name.formatted(bytes));
            RawHttp.Answer answer = new RawHttp("POST", BASE + "policies")
                    .as(TOKEN)
                    .header("Content-Type: application/json")
                    .body(body.getBytes(StandardCharsets.ISO_8859_1))
                    .send();
            assertThat(answer.status()).as(answer.text()).isIn(400, 422);
        }
    }
}
