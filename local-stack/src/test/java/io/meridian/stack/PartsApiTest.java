package io.meridian.stack;

import static io.meridian.testkit.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.meridian.stack.ManagedPart.PartLaunch;
import io.meridian.stack.ManagedPart.StartedPart;
import io.meridian.stack.PartsApi.Reply;
import io.meridian.stack.StackState.PartState;
import io.meridian.stack.StackState.PartState.Condition;
import io.meridian.stack.Supervisor.StackProgress;
import io.meridian.stack.plan.PortPlan;
import io.meridian.stack.plan.Regions;
import io.meridian.stack.process.ChildCommand;
import io.meridian.stack.process.ChildProcess;
import io.meridian.stack.process.Loopback;
import io.meridian.stack.process.ProcessIdentity;
import io.meridian.stack.servers.ProbeKind;
import io.meridian.stack.servers.RedisLine;
import io.meridian.stack.servers.RedisServer;
import io.meridian.stack.servers.RedisServer.RedisSettings;
import io.meridian.stack.servers.Server.Durability;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A stack of a real Redis and of a process that begets another, with the API that drills use. */
@Timeout(600)
class PartsApiTest {
    private static final String REDIS = "redis-us-east";
    private static final String OTHER = "other";
    private static final Duration ANSWERS_WITHIN = Duration.ofMinutes(2);

    private final Path folder;
    private final PortPlan ports = PortPlan.standard(Regions.ALL, 1, Set.of()).at(Loopback::freePort);
    private final List<String> said = Collections.synchronizedList(new ArrayList<>());
    private final List<List<PartState>> written = Collections.synchronizedList(new ArrayList<>());
    private final LocalStack stack = new LocalStack(Regions.ALL, ports, new Said());
    private final PartsApi api = new PartsApi(stack.faultsPort());

    PartsApiTest(@TempDir Path folder) {
        this.folder = folder;
    }

    @BeforeEach
    void start() {
        stack.start(
                List.of(new PartLaunch(REDIS, this::redis), new PartLaunch(OTHER, this::other)),
                () -> written.add(stack.parts()));
    }

    @AfterEach
    void stop() {
        stack.close();
    }

    private void redis(Consumer<StartedPart> forked) {
        int port = ports.of(REDIS);
        RedisServer.start(
                new RedisSettings(REDIS, folder.resolve(REDIS), folder.resolve("redis.log"), port, Durability.KEPT),
                server -> forked.accept(new StartedPart(
                        REDIS, server.url(), server.process(), ProbeKind.REDIS, Integer.toString(port))));
    }

    private void other(Consumer<StartedPart> forked) {
        ChildProcess process = ChildProcess.start(new ChildCommand(
                OTHER,
                List.of("sh", "-c", "sleep 600 & trap 'kill $!; exit 3' TERM; wait"),
                Map.of(),
                folder.resolve("other.log"),
                "TERM",
                Duration.ofSeconds(30)));
        forked.accept(new StartedPart(OTHER, "nowhere", process, ProbeKind.HTTP, "http://127.0.0.1:1/"));
    }

    @Test
    void the_parts_are_listed_as_they_are() throws Exception {
        JsonNode parts = api.send("GET", "/parts").body().path("parts");

        assertThat(parts).hasSize(2);
        JsonNode redis = parts.get(0);
        assertThat(redis.path("name").asText()).isEqualTo(REDIS);
        assertThat(redis.path("kind").asText()).isEqualTo("redis");
        assertThat(redis.path("address").asText()).isEqualTo("redis://127.0.0.1:" + ports.of(REDIS));
        assertThat(redis.path("pid").asLong()).isEqualTo(state(REDIS).process().pid());
        assertThat(redis.path("alive").asBoolean()).isTrue();
        assertThat(redis.path("frozen").asBoolean()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"kill", "stop"})
    void what_was_ended_on_purpose_is_no_surprise_and_starts_again_as_another_process(String verb) throws Exception {
        ProcessHandle before = state(REDIS).process().handle().orElseThrow();

        assertThat(api.post(REDIS, verb).status()).isEqualTo(200);

        assertThat(before.isAlive()).isFalse();
        assertThat(api.part(REDIS).path("alive").asBoolean(true)).isFalse();
        assertThat(state(REDIS).condition()).isEqualTo(Condition.STOPPED);
        assertThat(lastWritten(REDIS).stopped()).isTrue();
        assertThat(api.post(REDIS, verb).error()).isEqualTo(REDIS + " does not run, cannot " + verb);

        assertThat(api.post(REDIS, "start").status()).isEqualTo(200);

        assertThat(state(REDIS).condition()).isEqualTo(Condition.READY);
        assertThat(lastWritten(REDIS)).isEqualTo(state(REDIS));
        assertThat(lastWritten(REDIS).process().pid()).isNotEqualTo(before.pid());
        assertThat(said).noneMatch(line -> line.startsWith("DEAD"));
    }

    @Test
    void an_end_that_nobody_asked_for_is_still_told_after_a_restart() throws Exception {
        assertThat(api.post(REDIS, "restart").status()).isEqualTo(200);
        ProcessHandle process = state(REDIS).process().handle().orElseThrow();

        process.destroyForcibly();

        eventually("it is told").until(() -> said.contains("DEAD " + REDIS));
        assertThat(state(REDIS).condition()).isEqualTo(Condition.DEAD);
        assertThat(api.post(REDIS, "start").status()).isEqualTo(200);
    }

    @Test
    void a_redis_keeps_its_data_when_stopped_and_has_none_when_wiped() throws Exception {
        try (RedisLine redis = new RedisLine(ports.of(REDIS), ANSWERS_WITHIN)) {
            assertThat(redis.ask("SET", "a", "1")).isEqualTo("+OK");
        }

        assertThat(api.post(REDIS, "restart").status()).isEqualTo(200);
        try (RedisLine redis = new RedisLine(ports.of(REDIS), ANSWERS_WITHIN)) {
            assertThat(redis.ask("EXISTS", "a")).isEqualTo(":1");
            assertThat(api.post(REDIS, "wipe").status()).isEqualTo(200);
            assertThat(redis.ask("EXISTS", "a")).isEqualTo(":0");
        }
    }

    @Test
    void what_is_frozen_stands_still_with_all_it_begot_until_it_is_thawed() throws Exception {
        ProcessHandle process = state(OTHER).process().handle().orElseThrow();
        eventually("it begot another")
                .until(() -> process.descendants().findAny().isPresent());

        assertThat(api.post(OTHER, "freeze").body().path("frozen").asBoolean()).isTrue();

        assertThat(state(OTHER).condition()).isEqualTo(Condition.FROZEN);
        assertThat(process.descendants().map(PartsApiTest::isFrozen))
                .isNotEmpty()
                .containsOnly(true);

        assertThat(api.post(OTHER, "thaw").body().path("frozen").asBoolean(true))
                .isFalse();
        assertThat(process.descendants().map(PartsApiTest::isFrozen))
                .isNotEmpty()
                .containsOnly(false);
    }

    @ParameterizedTest
    @CsvSource({
        "POST, /parts/nobody/kill, 404, part not found: nobody",
        "GET, /parts/nobody, 404, part not found: nobody",
        "POST, /parts/other/wipe, 400, 'only a Redis can be wiped, got other'",
        "POST, /parts/other/explode, 400, 'verb must be one of kill, stop, start, restart, freeze, thaw, wipe, got explode'",
        "POST, /parts/other/start, 409, 'other runs, cannot start'",
        "GET, /parts/other/kill, 405, no route for GET /parts/other/kill",
        "POST, /parts, 405, no route for POST /parts",
        "GET, /parts/a/b/c, 404, no route for GET /parts/a/b/c",
    })
    void what_cannot_be_is_refused_in_the_words_of_the_fault_api(String method, String path, int status, String message)
            throws Exception {
        Reply reply = api.send(method, path);

        assertThat(reply.status()).isEqualTo(status);
        assertThat(reply.error()).isEqualTo(message);
        assertThat(reply.body().path("status").asInt()).isEqualTo(status);
    }

    @RepeatedTest(5)
    void of_many_at_once_each_finds_the_part_as_the_one_before_left_it() throws Exception {
        assertThat(api.post(REDIS, "kill").status()).isEqualTo(200);
        ExecutorService callers = Executors.newFixedThreadPool(8);
        List<Future<Reply>> replies = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            replies.add(callers.submit(() -> api.post(REDIS, "start")));
        }
        List<Integer> statuses = new ArrayList<>();
        for (Future<Reply> reply : replies) {
            statuses.add(reply.get().status());
        }
        callers.shutdown();

        assertThat(statuses).containsOnly(200, 409).containsOnlyOnce(200);
    }

    @Test
    void the_end_of_the_stack_ends_what_was_restarted_and_what_is_frozen() throws Exception {
        assertThat(api.post(REDIS, "restart").status()).isEqualTo(200);
        assertThat(api.post(OTHER, "freeze").status()).isEqualTo(200);
        ProcessHandle redis = state(REDIS).process().handle().orElseThrow();
        ProcessHandle other = state(OTHER).process().handle().orElseThrow();
        List<ProcessHandle> begotten = other.descendants().toList();

        stack.close();

        assertThat(redis.isAlive()).isFalse();
        assertThat(other.isAlive()).isFalse();
        for (ProcessHandle each : begotten) {
            each.onExit().get(120, TimeUnit.SECONDS);
        }
        assertThat(said).noneMatch(line -> line.startsWith("DEAD"));
    }

    private PartState state(String name) {
        return of(name, stack.parts());
    }

    private PartState lastWritten(String name) {
        return of(name, written.get(written.size() - 1));
    }

    private static PartState of(String name, List<PartState> parts) {
        return parts.stream()
                .filter(part -> part.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static boolean isFrozen(ProcessHandle process) {
        return ProcessIdentity.of(process).isFrozen();
    }

    private final class Said implements StackProgress {
        @Override
        public void ready(String name, Duration took) {
            said.add("ready " + name);
        }

        @Override
        public void note(String line) {
            said.add(line);
        }

        @Override
        public void died(String name, int exitCode) {
            said.add("DEAD " + name);
        }

        @Override
        public void stopping() {}
    }
}
