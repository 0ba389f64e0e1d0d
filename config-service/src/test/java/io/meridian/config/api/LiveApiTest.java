package io.meridian.config.api;

import static io.meridian.config.api.Admin.admin;
import static io.meridian.config.api.Admin.as;
import static io.meridian.testkit.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.meridian.config.ServiceTest;
import io.meridian.config.api.EventStream.Received;
import io.meridian.config.history.HistoryConfig;
import io.meridian.config.live.LiveConfig;
import io.meridian.config.regions.FakeLimiters;
import io.meridian.model.wire.InstanceReport;
import io.meridian.model.wire.ViolationRecord;
import io.quarkus.test.common.http.TestHTTPResource;
import jakarta.inject.Inject;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.eclipse.microprofile.config.ConfigProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The live view of limiters that report over a real Kafka. */
@ServiceTest
@Timeout(900)
class LiveApiTest {
    private static final String LIVE = "live";
    private static final long SECOND = 1_000_000;

    @TestHTTPResource("/admin/api/v1/live")
    @SuppressWarnings("NullAway.Init")
    URI uri;

    @Inject
    @SuppressWarnings("NullAway.Init")
    HistoryConfig history;

    @Inject
    @SuppressWarnings("NullAway.Init")
    LiveConfig config;

    @SuppressWarnings("NullAway.Init") // before each test
    private FakeLimiters limiters;

    @SuppressWarnings("NullAway.Init") // before each test
    private String viewer;

    @BeforeEach
    void open() throws Exception {
        Admin.awaitReady();
        viewer = Admin.token("viewer");
        limiters = new FakeLimiters(bootstrap());
        limiters.runs("eu", "a", 0, question -> null);
        limiters.runs("us", "b", 0, question -> null);
    }

    @AfterEach
    void close() {
        limiters.close();
    }

    @Test
    void regions_show_their_rates_and_who_leads() throws Exception {
        limiters.checks("eu", "a", new InstanceReport.Checks(100, 10, 1), SECOND, "sync-1");
        try (EventStream stream = connect(null)) {
            eventually("the first report is shown")
                    .until(() ->
                            last(stream, "regions").path("leaders").toString().contains("sync-1"));
            limiters.checks("eu", "a", new InstanceReport.Checks(300, 60, 3), 3 * SECOND, "sync-2");

            eventually("its rates are those between the reports")
                    .until(() -> region(stream, "eu").path("denied_per_second").asDouble() == 25);
            JsonNode region = region(stream, "eu");
            assertThat(region.path("checks_per_second").asDouble()).isEqualTo(100);
            assertThat(region.path("degraded_per_second").asDouble()).isEqualTo(1);
            assertThat(last(stream, "regions").path("leaders").toString())
                    .isEqualTo("[{\"partition\":0,\"replica\":\"sync-2\"}]");
            assertThat(region(stream, "us").path("checks_per_second").isNull()).isTrue();
        }
    }

    @Test
    void a_region_that_falls_silent_is_shown_as_cut_off_and_as_back_when_it_reports_again() throws Exception {
        try (EventStream stream = connect(null)) {
            eventually("both are in contact").until(() -> isInContact(stream, "eu") && isInContact(stream, "us"));
            limiters.cut("eu", "a");

            eventually("it is cut off").until(() -> region(stream, "eu")
                    .path("cut_off")
                    .path("reason")
                    .asText()
                    .equals("no_report"));
            assertThat(region(stream, "eu").path("cut_off").path("since").asText())
                    .endsWith("Z");
            eventually("the other is not").until(() -> isInContact(stream, "us"));

            limiters.runs("eu", "a", 0, question -> null);
            eventually("it is back").until(() -> isInContact(stream, "eu"));
        }
    }

    @Test
    void changes_and_denials_come_as_they_happen_and_a_client_resumes_after_its_last_event() throws Exception {
        String lastId;
        long lastChange;
        try (EventStream stream = connect(null)) {
            eventually("the stream runs").until(() -> !stream.named("regions").isEmpty());
            awaitChange(stream);
            deny("live-denied", 7);
            eventually("the denial is shown").until(() -> stream.named("denials").stream()
                    .anyMatch(each -> each.data().toString().contains("live-denied")));
            JsonNode item = stream.named("denials").get(0).data().path("items").get(0);
            assertThat(item.path("policy").asText()).isEqualTo("live-denied");
            assertThat(item.path("count").asInt()).isEqualTo(7);
            List<Received> all = List.copyOf(stream.received());
            lastId = all.get(all.size() - 1).id();
            lastChange = all.stream()
                    .mapToLong(each -> each.data().path("audit_id").asLong())
                    .max()
                    .orElse(0);
        }
        admin().body("{\"name\": \"live-tier-2\"}").put("tiers/live-tier-2");

        try (EventStream stream = connect(lastId)) {
            eventually("what happened in between is shown").until(() -> isChanged(stream, "live-tier-2"));
            assertThat(auditIds(stream)).isSorted().doesNotHaveDuplicates().allMatch(id -> id > lastChange);
            assertThat(stream.named("missed")).isEmpty();
            JsonNode change = stream.named("change").get(0).data();
            assertThat(change.path("kind").asText()).isEqualTo("tier");
            assertThat(change.path("action").asText()).isEqualTo("created");
            assertThat(change.path("revision").asLong()).isPositive();
        }
        try (EventStream stream = connect("0process-7")) {
            eventually("it is told that it missed something")
                    .until(() -> !stream.named("missed").isEmpty());
        }
    }

    @Test
    void the_stream_needs_a_token_and_refuses_what_it_does_not_know() {
        Admin.anonymous().accept("text/event-stream").get(LIVE).then().statusCode(401);
        as("nobody").accept("text/event-stream").get(LIVE).then().statusCode(401);
        as(viewer)
                .accept("text/event-stream")
                .get(LIVE + "?colour=red")
                .then()
                .statusCode(400)
                .body("detail", containsString("colour"));
        as(viewer)
                .accept("text/event-stream")
                .header("Last-Event-ID", "yesterday")
                .get(LIVE)
                .then()
                .statusCode(400)
                .body("errors[0].field", equalTo("Last-Event-ID"))
                .body("errors[0].value", equalTo("yesterday"));
        as(viewer).accept("application/json").get(LIVE).then().statusCode(406);
    }

    @Test
    void one_client_too_many_is_refused_and_a_place_is_free_again_when_another_leaves() throws Exception {
        List<EventStream> streams = new ArrayList<>();
        try {
            eventually("all places are taken").until(() -> {
                for (int i = streams.size(); i < config.clientsMax(); i++) {
                    streams.add(connect(null));
                }
                return streams.size() == config.clientsMax();
            });
            as(viewer)
                    .accept("text/event-stream")
                    .get(LIVE)
                    .then()
                    .statusCode(503)
                    .header("Retry-After", "5")
                    .body("detail", containsString("at most " + config.clientsMax()));
        } finally {
            for (EventStream each : streams) {
                each.close();
            }
        }
        eventually("there is a place again").until(() -> {
            try {
                connect(null).close();
                return true;
            } catch (AssertionError refused) {
                return false;
            }
        });
    }

    private static boolean isInContact(EventStream stream, String region) {
        JsonNode found = region(stream, region);
        return found.path("reporting").asInt() > 0 && found.path("cut_off").isNull();
    }

    private static JsonNode region(EventStream stream, String name) {
        for (JsonNode each : last(stream, "regions").path("regions")) {
            if (each.path("region").asText().equals(name)) {
                return each;
            }
        }
        return MissingNode.getInstance();
    }

    private static JsonNode last(EventStream stream, String event) {
        List<Received> events = stream.named(event);
        return events.isEmpty()
                ? MissingNode.getInstance()
                : events.get(events.size() - 1).data();
    }

    /** Changes are shown from some moment on: changes are made until one is. */
    private static void awaitChange(EventStream stream) throws Exception {
        int[] made = {0};
        eventually("a change is shown").until(() -> {
            String tier = "live-tier-1-" + made[0]++;
            admin().body("{\"name\": \"" + tier + "\"}").put("tiers/" + tier);
            return !stream.named("change").isEmpty();
        });
    }

    private static List<Long> auditIds(EventStream stream) {
        return stream.named("change").stream()
                .map(each -> each.data().path("audit_id").asLong())
                .toList();
    }

    private static boolean isChanged(EventStream stream, String entry) {
        return stream.named("change").stream()
                .anyMatch(each -> each.data().path("entry_id").asText().equals(entry));
    }

    private void deny(String policy, long count) {
        ViolationRecord record =
                new ViolationRecord(policy, 1, "user_id=1", "eu", count, count, 1, 2, false, "/x", "GET", 10, 10, "1m");
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", bootstrap()), new ByteArraySerializer(), new ByteArraySerializer())) {
            var unused = producer.send(
                    new ProducerRecord<>(history.violationsTopic(), record.recordKey(), record.recordValue()));
        }
    }

    private EventStream connect(@Nullable String lastEventId) throws Exception {
        return EventStream.open(uri, viewer, lastEventId);
    }

    private static String bootstrap() {
        return ConfigProvider.getConfig().getValue("kafka.bootstrap.servers", String.class);
    }
}
