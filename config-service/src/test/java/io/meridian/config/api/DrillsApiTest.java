package io.meridian.config.api;

import static io.meridian.config.api.Admin.admin;
import static io.meridian.config.api.Admin.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.startsWith;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.config.ServiceTest;
import io.meridian.config.drills.DrillArchiveConfig;
import io.meridian.config.drills.PublishedDrill;
import jakarta.inject.Inject;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Drills that are published, listed and read. */
@ServiceTest
class DrillsApiTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String DRILLS = "drills";
    private static final String PAGE = "<!doctype html><title>Failed</title><script>alert(document.cookie)</script>";

    @Inject
    DrillArchiveConfig config;

    @BeforeEach
    void ready() throws Exception {
        Admin.awaitReady();
    }

    @Test
    void a_published_drill_is_listed_and_read_with_its_journal_and_its_page() throws Exception {
        ObjectNode drill = drill("cut-one-region", "2026-01-15T10:00:00Z");
        String editor = Admin.token("drill-runner", "editor");
        int id = as(editor)
                .body(drill.toString())
                .post(DRILLS)
                .then()
                .statusCode(201)
                .header("Location", containsString("/admin/api/v1/drills/"))
                .body("drill", equalTo("cut-one-region"))
                .body("verdict", equalTo("broken"))
                .body("published_by", startsWith("drill-runner ("))
                .extract()
                .path("id");
        String viewer = Admin.token("viewer");

        as(viewer)
                .get(DRILLS + "?drill=cut-one-region")
                .then()
                .statusCode(200)
                .body("items", hasSize(1))
                .body("items[0].id", equalTo(id))
                .body("items[0].sentence", equalTo("A promise was broken:\nbound of escrow."))
                .body("items[0].promises[0].verdict", equalTo("broken"))
                .body("items[0].report", equalTo("/admin/api/v1/drills/" + id + "/report"))
                .body("next", nullValue());
        as(viewer)
                .get(DRILLS + "/" + id)
                .then()
                .statusCode(200)
                .body("drill.title", equalTo("A region is cut off"))
                .body("journal.status", equalTo("completed"))
                .body("journal.run[0].activity.name", equalTo("cut"));
        String policy = as(viewer)
                .accept("text/html")
                .get(DRILLS + "/" + id + "/report")
                .then()
                .statusCode(200)
                .header("Content-Type", equalTo("text/html;charset=utf-8"))
                .header("X-Content-Type-Options", equalTo("nosniff"))
                .body(equalTo(PAGE))
                .extract()
                .header("Content-Security-Policy");
        assertThat(List.of(policy.split("; ")))
                .contains("sandbox allow-scripts", "default-src 'none'", "frame-ancestors 'self'")
                .noneMatch(each -> each.contains("allow-same-origin") || each.contains("http"));
        admin().get("audit?kind=drill&id=" + id)
                .then()
                .body("items[0].action", equalTo("created"))
                .body("items[0].actor", startsWith("drill-runner ("))
                .body("items[0].after.verdict", equalTo("broken"));
    }

    @Test
    void a_drill_is_published_once_and_a_dry_run_publishes_nothing() {
        ObjectNode drill = drill("published-once", "2026-01-15T11:00:00.123456Z");
        admin().body(drill.toString())
                .post(DRILLS + "?dry_run=true")
                .then()
                .statusCode(200)
                .header("X-Meridian-Dry-Run", "true")
                .body("id", nullValue());
        admin().get(DRILLS + "?drill=published-once").then().body("items", hasSize(0));

        admin().body(drill.toString()).post(DRILLS).then().statusCode(201);
        for (String parameters : List.of("", "?dry_run=true")) {
            admin().body(drill.toString())
                    .post(DRILLS + parameters)
                    .then()
                    .statusCode(409)
                    .body("errors[0].field", equalTo("started_at"))
                    .body("errors[0].value", equalTo("2026-01-15T11:00:00.123456Z"));
        }
        admin().get(DRILLS + "?drill=published-once").then().body("items", hasSize(1));
    }

    @Test
    void a_drill_without_a_page_has_no_report() {
        ObjectNode drill = drill("pageless", "2026-01-15T12:00:00Z");
        drill.remove("report");
        int id = admin().body(drill.toString())
                .post(DRILLS)
                .then()
                .statusCode(201)
                .body("report", nullValue())
                .extract()
                .path("id");

        admin().accept("text/html").get(DRILLS + "/" + id + "/report").then().statusCode(404);
        admin().get(DRILLS + "/999999999").then().statusCode(404);
        admin().get(DRILLS + "/x").then().statusCode(404);
        admin().accept("text/html").get(DRILLS + "/x/report").then().statusCode(404);
    }

    @Test
    void drills_are_paged_and_filtered() {
        for (int hour = 0; hour < 3; hour++) {
            admin().body(drill("paged", "2026-01-16T1" + hour + ":00:00Z").toString())
                    .post(DRILLS)
                    .then()
                    .statusCode(201);
        }
        String next = admin().get(DRILLS + "?drill=paged&limit=2")
                .then()
                .body("items.started_at", contains("2026-01-16T12:00:00Z", "2026-01-16T11:00:00Z"))
                .extract()
                .path("next");
        admin().queryParam("cursor", next)
                .get(DRILLS + "?drill=paged&limit=2")
                .then()
                .body("items.started_at", contains("2026-01-16T10:00:00Z"))
                .body("next", nullValue());
        admin().get(DRILLS + "?drill=paged&from=2026-01-16T11:00:00Z&to=2026-01-16T12:00:00Z")
                .then()
                .body("items", hasSize(1));
        admin().get(DRILLS + "?drill=paged&verdict=held").then().statusCode(200).body("items", hasSize(0));
        admin().get(DRILLS + "?verdict=lost").then().statusCode(422).body("errors[0].value", equalTo("lost"));
        admin().get(DRILLS + "?colour=red").then().statusCode(400);
    }

    @Test
    void the_drill_that_was_published_first_makes_room() {
        int first = admin().body(drill("first", "2026-02-01T00:00:00Z").toString())
                .post(DRILLS)
                .then()
                .statusCode(201)
                .extract()
                .path("id");
        ObjectNode small = drill("filler", "2026-02-01T00:00:00Z").put("report", "x");
        for (int i = 0; i < config.kept(); i++) {
            String at = "2026-02-02T00:00:00." + String.format("%06d", i + 1) + "Z";
            small.put("started_at", at);
            admin().body(small.toString()).post(DRILLS).then().statusCode(201);
        }
        admin().get(DRILLS + "/" + first).then().statusCode(404);
        admin().get(DRILLS + "?limit=1000").then().body("items", hasSize(config.kept()));
    }

    @Test
    void only_editors_publish() {
        String body = drill("not-for-viewers", "2026-01-15T10:00:00Z").toString();
        as(Admin.token("viewer")).body(body).post(DRILLS).then().statusCode(403);
        as("nobody").body(body).post(DRILLS).then().statusCode(401);
        Admin.anonymous().get(DRILLS).then().statusCode(401);
        Admin.anonymous().accept("text/html").get(DRILLS + "/1/report").then().statusCode(401);
    }

    @Test
    void what_is_wrong_is_refused_by_field_and_value() {
        refused(422, "drill", "", each -> each.put("drill", ""));
        refused(422, "drill", "NUMBER", each -> each.put("drill", 7));
        refused(422, "title", "nothing", each -> each.remove("title"));
        refused(422, "verdict", "won", each -> each.put("verdict", "won"));
        refused(422, "started_at", "noon", each -> each.put("started_at", "noon"));
        refused(422, "started_at", "-0001-01-01T00:00:00Z", each -> each.put("started_at", "-0001-01-01T00:00:00Z"));
        refused(422, "ended_at", "2026-01-15T09:59:59Z", each -> each.put("ended_at", "2026-01-15T09:59:59Z"));
        refused(422, "journal", "STRING", each -> each.put("journal", "text"));
        refused(422, "promises", "STRING", each -> each.put("promises", "text"));
        refused(422, "promises[0].verdict", "lost", each -> ((ObjectNode)
                        each.path("promises").path(0))
                .put("verdict", "lost"));
        refused(422, "report", "1 characters", each -> each.put("report", "\0"));
        refused(
                422,
                "report",
                PublishedDrill.REPORT_CHARACTERS_MAX + 1 + " characters",
                each -> each.put("report", "x".repeat(PublishedDrill.REPORT_CHARACTERS_MAX + 1)));
        admin().body(drill("x", "2026-01-15T10:00:00Z").put("colour", "red").toString())
                .post(DRILLS)
                .then()
                .statusCode(400)
                .body("detail", containsString("colour"));
        admin().body("[]").post(DRILLS).then().statusCode(400);
        admin().body("{\"report\": \"" + "x".repeat(DrillsResource.BYTES_MAX) + "\"}")
                .post(DRILLS)
                .then()
                .statusCode(413);
    }

    private static void refused(int status, String field, String value, Consumer<ObjectNode> wrong) {
        ObjectNode drill = drill("refused", "2026-01-15T10:00:00Z");
        wrong.accept(drill);
        admin().body(drill.toString())
                .post(DRILLS)
                .then()
                .statusCode(status)
                .body("errors.field", hasItem(field))
                .body("errors.value", hasItem(value));
        admin().get(DRILLS + "?drill=refused").then().body("items", hasSize(0));
    }

    private static ObjectNode drill(String name, String startedAt) {
        ObjectNode drill = JSON.createObjectNode()
                .put("drill", name)
                .put("title", "A region is cut off")
                .put("target", "the running stack")
                .put("started_at", startedAt)
                .put("ended_at", "2026-03-01T00:00:00Z")
                .put("verdict", "broken")
                .put("sentence", "A promise was broken:\nbound of escrow.")
                .put("report", PAGE);
        drill.putArray("promises")
                .addObject()
                .put("promise", "bound of escrow")
                .put("verdict", "broken")
                .put("description", "501 of 500 units in one window");
        ObjectNode activity = drill.putObject("journal")
                .put("status", "completed")
                .putArray("run")
                .addObject()
                .putObject("activity");
        activity.put("name", "cut").put("type", "action");
        return drill;
    }
}
