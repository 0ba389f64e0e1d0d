package io.meridian.limiter.control;

import static io.meridian.testkit.Await.eventually;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.limiter.kafka.RedisAndKafka;
import io.meridian.limiter.redis.RedisUnderTestResource;
import io.meridian.model.time.TimeSource;
import io.meridian.model.wire.InstanceReport;
import io.meridian.model.wire.RegionQuery;
import io.meridian.model.wire.RegionQueryReply;
import io.meridian.testkit.servers.ServerResource.KafkaResource;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.config.ConfigProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A limiter and the centre over a real Kafka, with counters in a real Redis. */
@QuarkusTest
@WithTestResource(KafkaResource.class)
@WithTestResource(RedisUnderTestResource.class)
@TestProfile(RedisAndKafka.class)
@Timeout(300)
class ControlLinkTest {
    private static final TimeSource TIME = TimeSource.system();
    private static final String POLICY =
            "{\"format\":1,\"id\":\"p\",\"key\":[\"tenant\"],\"algorithm\":\"fixed_window\","
                    + "\"limit\":10,\"window\":\"31d\",\"applies_to\":{\"endpoints\":[\"/only/here\"]}}";

    @SuppressWarnings("NullAway.Init") // before each test
    private Centre centre;

    private static int questions;
    private static long revision;

    @BeforeEach
    void open() throws Exception {
        centre = new Centre(ConfigProvider.getConfig().getValue("kafka.bootstrap.servers", String.class));
    }

    @AfterEach
    void close() {
        centre.close();
    }

    @Test
    void the_centre_hears_which_revision_runs_at_once_and_then_again_and_again() throws Exception {
        long published = publish();
        eventually("a report has the revision").until(() -> isReported(published));
        int before = centre.reports().size();
        eventually("further ones come").until(() -> centre.reports().size() >= before + 2);
        assertThat(centre.reports()).allMatch(report -> report.region().equals("us-east"));
        assertThat(centre.reports().get(before).origin()).isEqualTo("topic");
    }

    @Test
    void the_centre_hears_how_many_checks_were_answered_and_denied() throws Exception {
        long published = publish();
        eventually("a report has the revision").until(() -> isReported(published));
        InstanceReport.Checks before = lastReport().checks();
        String check = "{\"attributes\": {\"tenant\": \"counted\"}, \"endpoint\": \"/only/here\", \"method\": \"GET\","
                + " \"cost\": 6}";
        given().contentType("application/json")
                .body(check)
                .post("/api/v1/rate-limit/check")
                .then()
                .statusCode(200);
        given().contentType("application/json")
                .body(check)
                .post("/api/v1/rate-limit/check")
                .then()
                .statusCode(429);

        eventually("both are counted").until(() -> {
            InstanceReport.Checks now = lastReport().checks();
            return now.answered() == before.answered() + 2 && now.denied() == before.denied() + 1;
        });
    }

    private InstanceReport lastReport() {
        return centre.reports().get(centre.reports().size() - 1);
    }

    @Test
    void the_centre_is_told_how_a_client_stands_and_can_reset_it() throws Exception {
        long published = publish();
        eventually("the policy runs").until(() -> isReported(published));
        spend("ann", 4);
        spend("ben", 1);

        RegionQueryReply status = asked(question(RegionQuery.Kind.STATUS, "ann", 3_600));
        assertThat(status.limits()).hasSize(1);
        assertThat(status.limits().get(0).policy()).isEqualTo("p");
        assertThat(status.limits().get(0).key()).isEqualTo("tenant=ann");
        assertThat(status.limits().get(0).used()).isEqualTo(4);
        assertThat(status.limits().get(0).remaining()).isEqualTo(6);

        assertThat(used(asked(check("ann", "/only/here")))).isEqualTo(4);
        assertThat(asked(check("ann", "/elsewhere")).limits()).isEmpty();

        assertThat(asked(question(RegionQuery.Kind.RESET, "ann", 3_600))
                        .limits()
                        .get(0)
                        .used())
                .isZero();
        assertThat(used(asked(question(RegionQuery.Kind.STATUS, "ann", 3_600)))).isZero();
        assertThat(used(asked(question(RegionQuery.Kind.STATUS, "ben", 3_600)))).isEqualTo(1);
    }

    @Test
    void what_has_expired_or_cannot_be_read_is_not_answered_and_what_follows_is() throws Exception {
        eventually("the limiter listens").until(() -> !centre.reports().isEmpty());
        RegionQuery late = question(RegionQuery.Kind.RESET, "cid", -1);
        centre.ask(late);
        centre.ask("no question");
        asked(question(RegionQuery.Kind.STATUS, "cid", 3_600));

        assertThat(centre.answers()).noneMatch(answer -> answer.queryId().equals(late.id()));
    }

    private long publish() throws Exception {
        revision += 1;
        centre.publish("policy/p", POLICY, revision);
        return revision;
    }

    private boolean isReported(long published) {
        return centre.reports().stream().anyMatch(report -> report.revision() == published);
    }

    /** Asks again if nobody listened yet: a limiter reads from where the topic ended when it came. */
    private RegionQueryReply asked(RegionQuery question) throws Exception {
        long[] askedNanos = {Long.MIN_VALUE};
        eventually("there is an answer").until(() -> {
            if (askedNanos[0] == Long.MIN_VALUE || TIME.monotonicNanos() - askedNanos[0] > 3_000_000_000L) {
                askedNanos[0] = TIME.monotonicNanos();
                centre.ask(question);
            }
            return !answersTo(question).isEmpty();
        });
        return answersTo(question).get(0);
    }

    private List<RegionQueryReply> answersTo(RegionQuery question) {
        return centre.answers().stream()
                .filter(answer -> answer.queryId().equals(question.id()))
                .toList();
    }

    private static long used(RegionQueryReply answer) {
        return answer.limits().get(0).used();
    }

    private static RegionQuery question(RegionQuery.Kind kind, String user, int seconds) {
        long nowMicros = TIME.wallMicros();
        questions++;
        return new RegionQuery(
                "q-" + questions,
                kind,
                Map.of("tenant", user),
                "",
                "",
                nowMicros - 10_000_000L,
                nowMicros + seconds * 1_000_000L);
    }

    private static RegionQuery check(String user, String endpoint) {
        long nowMicros = TIME.wallMicros();
        questions++;
        return new RegionQuery(
                "q-" + questions,
                RegionQuery.Kind.CHECK,
                Map.of("tenant", user),
                endpoint,
                "GET",
                new RegionQuery.Request(Map.of(), List.of(), 1),
                nowMicros - 10_000_000L,
                nowMicros + 3_600_000_000L);
    }

    private static void spend(String user, int cost) {
        given().contentType("application/json")
                .body("{\"attributes\": {\"tenant\": \"%s\"}, \"endpoint\": \"/only/here\", \"cost\": %d}"
                        .formatted(user, cost))
                .post("/api/v1/rate-limit/check")
                .then()
                .statusCode(200);
    }
}
