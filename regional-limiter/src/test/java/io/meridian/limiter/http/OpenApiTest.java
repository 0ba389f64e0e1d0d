package io.meridian.limiter.http;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

@QuarkusTest
@TestProfile(WithFakeLimiter.class)
class OpenApiTest {
    private static final String BASE = "/api/v1/rate-limit";

    private static JsonNode document() throws IOException {
        return new ObjectMapper()
                .readTree(given().queryParam("format", "json").get("/q/openapi").asByteArray());
    }

    @Test
    void every_call_is_described_with_its_answers() throws IOException {
        JsonNode paths = document().path("paths");
        Map<String, List<String>> calls = Map.of(
                BASE + "/check post",
                List.of("200", "400", "401", "403", "422", "429", "503"),
                BASE + "/check/batch post",
                List.of("200", "400", "422"),
                BASE + "/status get",
                List.of("200", "400", "422"),
                BASE + "/refund post",
                List.of("200", "400", "422"),
                BASE + "/reset post",
                List.of("200", "400", "422"),
                BASE + "/reservations post",
                List.of("201", "400", "403", "422", "429", "503"),
                BASE + "/reservations/{id}/commit post",
                List.of("200", "400", "404", "422"),
                BASE + "/reservations/{id} delete",
                List.of("200", "404"),
                "/api/v1/load put",
                List.of("200", "400", "401", "403", "422"),
                BASE + "/leases post",
                List.of("201", "400", "403", "422", "429", "503"));
        Map<String, List<String>> more = Map.of(
                BASE + "/forward-auth get",
                List.of("200", "403", "429", "503"),
                BASE + "/leases/{id}/return post",
                List.of("200", "400", "404", "410", "422"));
        Stream.of(calls, more).map(Map::entrySet).flatMap(Set::stream).forEach(each -> {
            String call = each.getKey();
            List<String> statuses = each.getValue();
            JsonNode operation =
                    paths.path(call.substring(0, call.indexOf(' '))).path(call.substring(call.indexOf(' ') + 1));
            assertThat(operation.path("summary").asText()).as(call).isNotEmpty();
            assertThat(operation.path("responses").fieldNames())
                    .toIterable()
                    .as(call)
                    .containsAll(statuses);
        });
    }

    @Test
    void every_body_and_every_answer_has_an_example() throws IOException {
        JsonNode components = document().path("components");
        for (JsonNode body : components.path("requestBodies")) {
            assertThat(body.at("/content/application~1json/example").isObject())
                    .as(body.toString())
                    .isTrue();
        }
        assertThat(components.path("responses").size()).isGreaterThan(10);
        for (JsonNode response : components.path("responses")) {
            for (JsonNode media : response.path("content")) {
                assertThat(media.path("example").isObject())
                        .as(response.toString())
                        .isTrue();
            }
        }
    }

    @Test
    void no_reference_leads_nowhere() throws IOException {
        JsonNode document = document();
        document.findValuesAsText("$ref").forEach(reference -> assertThat(
                        document.at(reference.substring(1)).isMissingNode())
                .as(reference)
                .isFalse());
    }

    @Test
    void the_examples_of_checks_are_checks() throws IOException {
        JsonNode example = document().at("/components/requestBodies/Check/content/application~1json/example");
        given().contentType("application/json")
                .body(example.toString())
                .post(BASE + "/check")
                .then()
                .statusCode(200);
    }
}
