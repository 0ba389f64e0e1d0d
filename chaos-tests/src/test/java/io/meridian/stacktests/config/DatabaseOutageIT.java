package io.meridian.stacktests.config;

import static io.meridian.testkit.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.model.time.TimeSource;
import io.meridian.stack.servers.Topics;
import io.meridian.testkit.load.EncodedRequest;
import io.meridian.testkit.load.Keys;
import io.meridian.testkit.load.LoadGenerator;
import io.meridian.testkit.load.LoadResult;
import io.meridian.testkit.load.Workload;
import io.meridian.testkit.servers.KafkaUnderTest;
import io.meridian.testkit.servers.PostgresUnderTest;
import io.meridian.testkit.servers.RedisUnderTest;
import io.meridian.testkit.services.ConfigInstance;
import io.meridian.testkit.services.LimiterInstances;
import io.meridian.testkit.services.LimiterSettings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** PostgreSQL or Kafka is away: what can be answered is, the rest is refused in time, limiters notice nothing. */
@Timeout(600)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DatabaseOutageIT {
    /** The policy that changes, and one that does not: a copy is up to a second behind. */
    private static final String STEADY = "steady";

    private static final String CONSTANT = "constant";
    private static final int CONSTANT_LIMIT = 7;
    private static final int CLIENTS = 2;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final TimeSource time = TimeSource.system();
    private final PostgresUnderTest postgres = PostgresUnderTest.start();
    private final KafkaUnderTest kafka = KafkaUnderTest.start();
    private final RedisUnderTest redis = RedisUnderTest.start();
    private ConfigInstance service;
    private Admin admin;
    private LimiterInstances limiters;
    private int limit = 1_000_000;

    @BeforeAll
    void start() throws Exception {
        Topics.ensure(kafka.directAddress());
        service = ConfigInstance.start(postgres, kafka);
        admin = new Admin(service);
        eventually("the first admin is known").until(admin::isUp);
        assertThat(admin.put(CONSTANT, CONSTANT_LIMIT).statusCode()).isEqualTo(201);
        assertThat(admin.put(STEADY, limit).statusCode()).isEqualTo(201);
        limiters = LimiterInstances.start(
                1, LimiterSettings.ofRegion("us-east").withRedis(redis.url()).withKafka(kafka.bootstrapServers()));
        eventually("the limiter has the policy").until(() -> limitAtLimiter() == limit);
    }

    @AfterEach
    void heal() {
        kafka.link().heal();
        postgres.link().heal();
        if (!postgres.isAlive()) {
            postgres.restart();
        }
    }

    @AfterAll
    void stop() {
        limiters.close();
        service.close();
        redis.close();
        kafka.close();
        postgres.close();
    }

    static Stream<Arguments> outages() {
        return Stream.of(
                outage("killed", PostgresUnderTest::kill, PostgresUnderTest::restart),
                outage("silent", away -> away.link().silence(), away -> away.link()
                        .heal()));
    }

    private static Arguments outage(String name, Consumer<PostgresUnderTest> spoil, Consumer<PostgresUnderTest> mend) {
        return Arguments.of(name, spoil, mend);
    }

    @ParameterizedTest(name = "PostgreSQL {0}")
    @MethodSource("outages")
    void reads_come_from_the_copy_changes_are_refused_with_the_reason_and_all_recovers_by_itself(
            String name, Consumer<PostgresUnderTest> spoil, Consumer<PostgresUnderTest> mend) throws Exception {
        LoadGenerator.Running load = LoadGenerator.start(CLIENTS, Workload.of("checks", check(), Keys.one(0)));
        spoil.accept(postgres);
        eventually("reads come from the copy").until(() -> isFromCopy(admin.get("policies/" + CONSTANT)));
        HttpResponse<String> list = admin.get("policies");
        assertThat(isFromCopy(list)).isTrue();
        assertThat(Admin.limit(list.body())).isEqualTo(CONSTANT_LIMIT);

        long startNanos = time.monotonicNanos();
        HttpResponse<String> refused = admin.put(STEADY, limit + 1);
        Duration took = Duration.ofNanos(time.monotonicNanos() - startNanos);
        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.headers().firstValue("Content-Type").orElse("")).startsWith("application/problem+json");
        assertThat(refused.headers().firstValue("Retry-After")).isPresent();
        assertThat(refused.body()).contains("urn:meridian:problem:database-away", "PostgreSQL");
        assertThat(limitAtLimiter()).isEqualTo(limit);

        mend.accept(postgres);
        long mendedNanos = time.monotonicNanos();
        int next = limit + 10;
        eventually("changes are taken again")
                .until(() -> admin.put(STEADY, next).statusCode() == 200);
        eventually("the limiter has the change").until(() -> limitAtLimiter() == next);
        limit = next;
        assertThat(admin.get("policies/" + STEADY).headers().firstValue(Admin.AS_OF))
                .isEmpty();
        LoadResult report = load.stop();
        System.out.printf(
                "PostgreSQL %s: refused after %d ms, in effect %d ms after it was back; checks %s%n",
                name,
                took.toMillis(),
                Duration.ofNanos(time.monotonicNanos() - mendedNanos).toMillis(),
                report);
        assertUnnoticed(report);
    }

    @Test
    void without_kafka_changes_are_stored_and_arrive_when_it_is_back() throws Exception {
        LoadGenerator.Running load = LoadGenerator.start(CLIENTS, Workload.of("checks", check(), Keys.one(0)));
        kafka.link().cut();
        for (int step = 1; step <= 5; step++) {
            assertThat(admin.put(STEADY, limit + step).statusCode()).isEqualTo(200);
        }
        assertThat(limitAtLimiter()).isEqualTo(limit);

        kafka.link().heal();
        int next = limit + 5;
        eventually("the limiter has the last change").until(() -> limitAtLimiter() == next);
        limit = next;
        assertUnnoticed(load.stop());
    }

    @Test
    void a_service_that_starts_before_postgres_comes_up_says_so_and_works_once_it_is_there() throws Exception {
        postgres.kill();
        try (ConfigInstance early = ConfigInstance.start(postgres, kafka)) {
            assertThat(status(early.uri("/q/health/live"))).isEqualTo(200);
            assertThat(status(early.uri("/q/health/ready"))).isEqualTo(200);
            HttpResponse<String> refused = new Admin(early).get("policies");
            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(refused.body()).contains("urn:meridian:problem:database-away", "PostgreSQL");

            postgres.restart();
            eventually("the first admin is known").until(() -> new Admin(early).isUp());
            int next = limit + 100;
            assertThat(new Admin(early).put(STEADY, next).statusCode()).isEqualTo(200);
            eventually("the limiter has the change").until(() -> limitAtLimiter() == next);
            limit = next;
        }
        eventually("the other recovers too")
                .until(() -> admin.put(CONSTANT, CONSTANT_LIMIT).statusCode() == 200);
    }

    private static boolean isFromCopy(HttpResponse<String> answer) {
        return answer.statusCode() == 200
                && answer.headers().firstValue(Admin.AS_OF).isPresent();
    }

    private static void assertUnnoticed(LoadResult report) {
        assertThat(report.failures()).isEqualTo(Map.of());
        assertThat(report.statuses().keySet()).containsExactly(200);
    }

    private EncodedRequest check() {
        String body = "{\"attributes\": {\"user_id\": \"ann\"}, \"endpoint\": \"/steady\", \"method\": \"GET\"}";
        return EncodedRequest.post(limiters.get(0).uri("/api/v1/rate-limit/check"), body);
    }

    private long limitAtLimiter() throws IOException, InterruptedException {
        URI status = limiters.get(0).uri("/api/v1/rate-limit/status?user_id=bob&endpoint=/steady&method=GET");
        return Admin.limit(send(status).body());
    }

    private int status(URI uri) throws IOException, InterruptedException {
        return send(uri).statusCode();
    }

    private HttpResponse<String> send(URI uri) throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }
}
