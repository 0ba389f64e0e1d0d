package io.meridian.limiter.http;

import static io.restassured.RestAssured.config;
import static io.restassured.RestAssured.given;
import static io.restassured.config.EncoderConfig.encoderConfig;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.lessThan;

import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.RestAssured;
import io.restassured.response.ValidatableResponse;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
@TestProfile(WithFakeLimiter.class)
class BadInputTest {
    private static final String PATH = "/api/v1/rate-limit/check";

    @Inject
    FakeLimiter limiter;

    @BeforeEach
    void forget() {
        limiter.reset();
    }

    private ValidatableResponse refused(byte[] body, int status, String code) {
        ValidatableResponse response = given().contentType("application/json")
                .body(body)
                .post(PATH)
                .then()
                .statusCode(status)
                .contentType("application/problem+json")
                .body("type", equalTo("urn:meridian:problem:" + code))
                .body("status", equalTo(status))
                .body("instance", equalTo(PATH));
        assertThat(limiter.asked()).isEmpty();
        return response;
    }

    private ValidatableResponse refused(String body, int status, String code) {
        return refused(body.getBytes(StandardCharsets.UTF_8), status, code);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "[]",
                "\"x\"",
                "1",
                "null",
                "{",
                "{}{}",
                "{} x",
                "{\"cost\":}",
                "{\"cost\":01}",
                "{'a':1}",
                "nope"
            })
    void what_is_not_one_json_object_is_malformed(String body) {
        refused(body, 400, "malformed-body");
    }

    @Test
    void malformed_json_is_named_by_line_and_column() {
        refused("{\n  \"cost\": nope\n}", 400, "malformed-body").body("detail", containsString("line 2, column"));
    }

    @Test
    void bytes_that_are_no_utf_8_are_malformed() {
        refused(new byte[] {'{', '"', (byte) 0xc3, (byte) 0x28, '"', ':', '1', '}'}, 400, "malformed-body");
    }

    @Test
    void an_unknown_field_is_named() {
        refused("{\"user\": \"42\"}", 400, "unknown-field").body("detail", equalTo("field user does not exist"));
        refused("{\"ttl_ms\": 5}", 400, "unknown-field").body("detail", equalTo("field ttl_ms does not exist"));
    }

    @Test
    void a_field_given_twice_is_named() {
        refused("{\"cost\": 1, \"cost\": 1}", 400, "duplicate-field");
        refused("{\"attributes\": {\"user_id\": \"1\", \"user_id\": \"2\"}}", 400, "duplicate-field")
                .body("detail", containsString("attributes.user_id"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"cost\": 1.5}|cost|1.5",
                "{\"cost\": \"1\"}|cost|1",
                "{\"cost\": 99999999999999999999}|cost|99999999999999999999",
                "{\"cost\": true}|cost|true",
                "{\"endpoint\": 5}|endpoint|5",
                "{\"method\": []}|method|a list",
                "{\"attributes\": []}|attributes|a list",
                "{\"attributes\": {\"user_id\": 42}}|attributes.user_id|42",
                "{\"headers\": {\"x\": {}}}|headers.x|an object",
                "{\"request_id\": 7}|request_id|7",
                "{\"policies\": \"p\"}|policies|p",
                "{\"policies\": {}}|policies|an object",
                "{\"policies\": [\"p\", 7]}|policies[1]|7",
                "{\"policies\": [null]}|policies[0]|null"
            })
    void a_wrong_type_is_named_with_its_value(String body, String field, String value) {
        refused(body, 400, "wrong-type")
                .body("errors[0].field", equalTo(field))
                .body("errors[0].value", equalTo(value));
    }

    @Test
    void every_broken_rule_is_named_at_once() {
        refused("""
                        {"cost": -1, "attributes": {"ip": "nowhere", "user_id": ""}, "method": "%s", "request_id": ""}""".formatted("X".repeat(33)), 422, "invalid")
                .body("errors.field", hasItems("cost", "attributes.ip", "attributes.user_id", "method", "request_id"))
                .body("errors.find { it.field == 'cost' }.value", equalTo("-1"))
                .body("errors.find { it.field == 'cost' }.rule", equalTo("must be from 0 to 1000000000"));
    }

    @Test
    void a_list_of_policies_names_some_and_each_once() {
        refused("{\"policies\": []}", 422, "invalid")
                .body("errors[0].field", equalTo("policies"), "errors[0].value", equalTo("none"));
        refused("{\"policies\": [\"p\"" + ", \"q\"".repeat(32) + "]}", 422, "invalid")
                .body("errors[0].field", equalTo("policies"), "errors[0].value", equalTo("more than 32"));
        refused("{\"cost\": -1, \"policies\": [\"p\", \"a b\", \"p\"]}", 422, "invalid")
                .body("errors.field", hasItems("cost", "policies[1]", "policies[2]"));
        refused("{\"policies\": [\"p\"], \"policies\": [\"p\"]}", 400, "duplicate-field");
    }

    @Test
    void a_long_value_is_repeated_in_part() {
        refused("{\"request_id\": \"" + "y".repeat(5_000) + "\"}", 422, "invalid")
                .body("errors[0].value.length()", lessThan(120));
        refused("{\"" + "z".repeat(5_000) + "\": 1}", 400, "unknown-field").body("detail.length()", lessThan(300));
    }

    @Test
    void half_a_surrogate_is_refused_and_not_repeated() {
        refused("{\"attributes\": {\"user_id\": \"\\ud800\"}}", 422, "invalid");
        refused("{\"\\udc00\": 1}", 400, "malformed-body");
    }

    @Test
    void a_body_that_nests_too_deep_is_malformed() {
        refused("{\"attributes\":" + "[".repeat(5_000), 400, "wrong-type");
        refused("{\"checks\":" + "{\"a\":".repeat(5_000), 400, "unknown-field");
    }

    @Test
    void a_body_above_the_bound_is_too_large() {
        String large = "{\"endpoint\": \"" + "x".repeat(64 * 1024) + "\"}";
        refused(large, 413, "body-too-large");
        String larger = "{\"endpoint\": \"" + "x".repeat(256 * 1024) + "\"}";
        refused(larger, 413, "body-too-large").header("Connection", equalTo("close"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/plain", "application/xml", "garbage", "application/json; charset=utf-16"})
    void what_is_not_said_to_be_json_is_no_json(String type) {
        given().config(config().encoderConfig(
                                encoderConfig().appendDefaultContentCharsetToContentTypeIfUndefined(false)))
                .header("Content-Type", type)
                .body("{}".getBytes(StandardCharsets.UTF_8))
                .post(PATH)
                .then()
                .statusCode(415)
                .contentType("application/problem+json")
                .body("type", equalTo("urn:meridian:problem:not-json"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/json",
                "application/json; charset=UTF-8",
                "application/vnd.meridian+json",
                "APPLICATION/JSON"
            })
    void json_by_other_names_is_json(String type) {
        assertThat(RequestGate.isJson(type)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/html", "application/xml", "garbage", "image/*;q=0", "application/json"})
    void whatever_the_caller_would_accept_it_gets_json(String accept) {
        given().contentType("application/json")
                .header("Accept", accept)
                .body("{}")
                .post(PATH)
                .then()
                .statusCode(200)
                .contentType("application/json");
    }

    @Test
    void a_body_in_chunks_is_read_to_the_bound_and_no_further() throws IOException {
        String head = "POST " + PATH + " HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
        try (RawHttp http = new RawHttp(RestAssured.port)) {
            http.send(RawHttp.bytes(head + "1\r\n{\r\n1\r\n}\r\n0\r\n\r\n"));
            assertThat(http.status(false)).isEqualTo(200);
            http.send(RawHttp.bytes(head + "60000\r\n" + "x".repeat(0x60000)));
            assertThat(http.status(false)).isEqualTo(413);
            assertThat(http.status(false)).as("closed").isEqualTo(-1);
        }
    }

    @Test
    void what_the_server_itself_cannot_take_is_the_callers_error() throws IOException {
        String line = "POST " + PATH + " HTTP/1.1\r\n";
        assertThat(statusOf("GET /" + "x".repeat(10_000) + " HTTP/1.1\r\nHost: x\r\n\r\n"))
                .isEqualTo(414);
        assertThat(statusOf(line + "Host: x\r\nX-Long: " + "y".repeat(20_000) + "\r\n\r\n"))
                .isEqualTo(431);
        assertThat(statusOf(line + "Content-Length: 2\r\n\r\n{}")).as("no host").isEqualTo(400);
        assertThat(statusOf(line + "Host: x\r\nContent-Length: many\r\n\r\n")).isEqualTo(400);
        assertThat(statusOf("GET /api/v1/rate-limit/status?user_id=%zz HTTP/1.1\r\nHost: x\r\n\r\n"))
                .isEqualTo(400);
    }

    private static int statusOf(String request) throws IOException {
        try (RawHttp http = new RawHttp(RestAssured.port)) {
            http.send(RawHttp.bytes(request));
            return http.status(false);
        }
    }

    @Test
    void a_wrong_method_is_told_the_right_one() {
        given().put(PATH)
                .then()
                .statusCode(405)
                .contentType("application/problem+json")
                .header("Allow", "POST, OPTIONS")
                .body("type", equalTo("urn:meridian:problem:method-not-allowed"));
        given().get(PATH).then().statusCode(405);
        given().delete("/api/v1/rate-limit/status").then().statusCode(405).header("Allow", "GET, HEAD, OPTIONS");
        given().get("/api/v1/load").then().statusCode(405).header("Allow", "PUT, OPTIONS");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/v1/rate-limit/nothing", "/api/v1", "/nothing", "/"})
    void an_unknown_path_is_not_found(String path) {
        given().get(path)
                .then()
                .statusCode(404)
                .contentType("application/problem+json")
                .body("type", equalTo("urn:meridian:problem:not-found"))
                .body("instance", equalTo(path));
    }
}
