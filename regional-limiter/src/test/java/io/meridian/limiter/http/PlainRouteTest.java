package io.meridian.limiter.http;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.emptyString;
import static org.hamcrest.Matchers.equalTo;

import io.meridian.limiter.decide.CheckResult.DecidedBy;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.RestAssured;
import jakarta.inject.Inject;
import java.io.IOException;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Work of a plain route that a framework would do. */
@QuarkusTest
@TestProfile(WithFakeLimiter.class)
class PlainRouteTest {
    private static final String CHECK = "/api/v1/rate-limit/check";
    private static final String STATUS = "/api/v1/rate-limit/status";
    private static final Pattern URI_TAG = Pattern.compile("http_server_requests_seconds_count\\{.*uri=\"([^\"]*)\"");

    @Inject
    FakeLimiter limiter;

    @BeforeEach
    void forget() {
        limiter.reset();
    }

    @Test
    void a_body_in_many_parts_is_read_whole() throws IOException {
        try (RawHttp http = new RawHttp(RestAssured.port)) {
            http.send(RawHttp.bytes("POST " + CHECK + " HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"));
            for (char each : "{\"attributes\":{\"user_id\":\"parts\"}}".toCharArray()) {
                http.send(RawHttp.bytes("1\r\n" + each + "\r\n"));
            }
            http.send(RawHttp.bytes("0\r\n\r\n"));
            assertThat(http.status(false)).isEqualTo(200);
        }
        assertThat(limiter.lastCheck().attributes()).containsEntry("user_id", "parts");
    }

    @Test
    void requests_that_do_not_wait_for_answers_are_answered_in_order() throws IOException {
        try (RawHttp http = new RawHttp(RestAssured.port)) {
            String check = "POST " + CHECK + " HTTP/1.1\r\nHost: x\r\nContent-Length: ";
            http.send(RawHttp.bytes(check + "2\r\n\r\n{}" + check + "1\r\n\r\n{" + check + "2\r\n\r\n{}"));
            assertThat(http.status(false)).isEqualTo(200);
            assertThat(http.status(false)).isEqualTo(400);
            assertThat(http.status(false)).isEqualTo(200);
        }
    }

    @Test
    void a_slash_at_the_end_and_another_spelling_are_the_same_path() {
        given().contentType("application/json")
                .body("{}")
                .post(CHECK + "/")
                .then()
                .statusCode(200);
        given().urlEncodingEnabled(false)
                .contentType("application/json")
                .body("{}")
                .post("/api//v1/rate-limit/./%63heck")
                .then()
                .statusCode(200);
    }

    @Test
    void another_spelling_is_no_tag_of_a_meter() {
        given().urlEncodingEnabled(false)
                .contentType("application/json")
                .body("{}")
                .post("/api/v1/rate-limit/%63%68eck")
                .then()
                .statusCode(200);

        String metrics = given().get("/q/metrics").asString();

        assertThat(URI_TAG.matcher(metrics).results().map(found -> found.group(1)))
                .contains(CHECK)
                .noneMatch(uri -> uri.contains("%63"));
    }

    @Test
    void options_names_the_methods_of_the_path() {
        given().options(CHECK).then().statusCode(200).header("Allow", equalTo("POST, OPTIONS"));
        given().options(STATUS).then().statusCode(200).header("Allow", equalTo("GET, HEAD, OPTIONS"));
    }

    @Test
    void head_of_status_has_its_headers_and_no_body() {
        limiter.rule(Rulings.decided(DecidedBy.REGION, Rulings.admits(Rulings.policy("p"), 5, 0)));

        given().head(STATUS + "?user_id=42")
                .then()
                .statusCode(200)
                .header("X-RateLimit-Remaining", equalTo("5"))
                .body(emptyString());
    }
}
