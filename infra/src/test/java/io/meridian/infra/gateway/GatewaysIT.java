package io.meridian.infra.gateway;

import static io.meridian.testkit.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.meridian.infra.gateway.Gateway.Site;
import io.meridian.model.time.TimeSource;
import io.meridian.stack.process.ChildCommand;
import io.meridian.stack.process.ChildProcess;
import io.meridian.stack.process.Folders;
import io.meridian.stack.process.Loopback;
import io.meridian.testkit.TestAmounts;
import io.meridian.testkit.servers.RedisUnderTest;
import io.meridian.testkit.services.LimiterInstance;
import io.meridian.testkit.services.LimiterInstances;
import io.meridian.testkit.services.LimiterSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every gateway of infra/gateways that this machine has, before one limiter with its Redis and one API. */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class GatewaysIT {
    private static final TimeSource TIME = TimeSource.system();
    private static final int LIMIT = 3;
    private static final int REQUESTS = TestAmounts.of(2_000, 10_000);
    private static final int CALLERS = 8;
    /** Every thread of Apache httpd has a connection of its own; without keep-alive there would be one for each request. */
    private static final int CONNECTIONS_MAX = 200;

    private static final String POLICIES = """
            policies:
              - {id: by-key, key: [api_key], algorithm: fixed_window, limit: 3, window: 31d, applies_to: {endpoints: [/limited/*], methods: [GET]}}
              - {id: by-ip, key: [ip], algorithm: fixed_window, limit: 3, window: 31d, applies_to: {endpoints: [/by-address/*]}}
              - {id: much, key: [api_key], algorithm: fixed_window, limit: 1000000, window: 31d, applies_to: {endpoints: [/open/*]}}
            deny_list:
              - {identifier_type: api_key, identifier: banned, reason: a test}
            """;

    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(30))
            .build();
    private final Map<Gateway, Running> running = new EnumMap<>(Gateway.class);
    private final AtomicInteger keys = new AtomicInteger();
    private @Nullable Backend started;

    private record Running(Site site, CountingRelay relay, ChildProcess process) {
        URI uri(String path) {
            return URI.create("http://127.0.0.1:" + site.port() + path);
        }

        void close() throws IOException {
            process.close();
            relay.close();
            Folders.deleteTemporary(site.folder());
        }
    }

    private record Backend(ToyApi api, RedisUnderTest redis, LimiterInstances limiters, Path folder) {
        static Backend start() throws IOException {
            Path folder = Folders.temporary("gateways");
            RedisUnderTest redis = RedisUnderTest.start();
            LimiterInstances limiters = LimiterInstances.start(
                    1,
                    LimiterSettings.ofRegion("eu-west")
                            .withRedis(redis.url())
                            // No check may be decided without Redis, however busy the machine is.
                            .with("meridian.limiter.redis.budget", "20s")
                            .with("meridian.limiter.forwarded.trusted-proxies", Loopback.HOST)
                            .with(
                                    "meridian.limiter.policies.file",
                                    Files.writeString(folder.resolve("policies.yaml"), POLICIES)
                                            .toString()));
            return new Backend(new ToyApi(), redis, limiters, folder);
        }

        LimiterInstance limiter() {
            return limiters.get(0);
        }
    }

    @BeforeAll
    void start() throws IOException {
        if (Arrays.stream(Gateway.values()).anyMatch(each -> each.lacking().isEmpty())) {
            started = Backend.start();
        }
    }

    @AfterAll
    void stop() throws IOException {
        for (Running each : running.values()) {
            each.close();
        }
        if (started != null) {
            started.limiters().close();
            started.redis().close();
            started.api().close();
            Folders.deleteTemporary(started.folder());
        }
    }

    private Backend backend() {
        if (started == null) {
            throw new IllegalStateException("no gateway is installed");
        }
        return started;
    }

    /** The gateway, started by the first test that needs it; a test is skipped where the machine lacks it. */
    private Running running(Gateway gateway) throws IOException {
        gateway.lacking().ifPresent(reason -> System.out.println("[gateways] SKIPPED " + gateway + ": " + reason));
        assumeTrue(gateway.lacking().isEmpty(), () -> gateway.lacking().orElse(""));
        Running known = running.get(gateway);
        if (known != null) {
            return known;
        }
        CountingRelay relay = new CountingRelay(backend().limiter().uri("/").getPort());
        Site site = Site.temporary(gateway, relay.port(), backend().api().port());
        List<String> command =
                new ArrayList<>(List.of(gateway.executable().orElseThrow().toString()));
        command.addAll(gateway.prepare(site));
        Path log = site.folder().resolve("log");
        ChildProcess process = ChildProcess.start(ChildCommand.of("gateway-" + gateway, command, log)
                .withEnvironment(Map.of(
                        "XDG_DATA_HOME",
                        site.folder().toString(),
                        "XDG_CONFIG_HOME",
                        site.folder().toString())));
        Running now = new Running(site, relay, process);
        running.put(gateway, now);
        eventually(gateway + " listens").until(() -> {
            assertThat(process.isAlive()).as("%s runs, see %s", gateway, log).isTrue();
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), site.port())) {
                return socket.isConnected();
            } catch (IOException notYet) {
                return false;
            }
        });
        return now;
    }

    private String newKey() {
        return "key-" + keys.incrementAndGet();
    }

    private HttpResponse<String> get(Running gateway, String path, String key) throws Exception {
        return client.send(request(gateway, path, key).build(), BodyHandlers.ofString());
    }

    private static HttpRequest.Builder request(Running gateway, String path, String key) {
        return HttpRequest.newBuilder(gateway.uri(path)).header("X-API-Key", key);
    }

    private static boolean hasLimits(HttpResponse<String> answer) {
        return answer.headers().firstValue("X-RateLimit-Limit").isPresent();
    }

    @ParameterizedTest
    @EnumSource
    @Order(1)
    void a_request_within_the_limit_reaches_the_api_and_its_answer_has_the_headers(Gateway gateway) throws Exception {
        HttpResponse<String> answer = get(running(gateway), "/limited/a?page=2", newKey());

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("GET of 0");
        assertThat(answer.headers().firstValue("X-RateLimit-Limit")).hasValue("3");
        assertThat(answer.headers().firstValue("X-RateLimit-Remaining")).hasValue("2");
        assertThat(answer.headers().firstValue("X-RateLimit-Reset")).isPresent();
        assertThat(answer.headers().firstValue("X-RateLimit-Policy")).hasValue("3;w=2678400");
        assertThat(answer.headers().firstValue("RateLimit")).isPresent();
        assertThat(answer.headers().firstValue("RateLimit-Policy")).hasValue("\"by-key\";q=3;w=2678400");
        assertThat(answer.headers().firstValue("Retry-After")).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    @Order(2)
    void a_request_over_the_limit_is_a_429_with_body_and_headers_that_the_api_never_sees(Gateway gateway)
            throws Exception {
        String key = newKey();
        String path = "/limited/" + gateway;
        for (int i = 0; i < LIMIT; i++) {
            assertThat(get(running(gateway), path, key).statusCode()).isEqualTo(200);
        }

        HttpResponse<String> answer = get(running(gateway), path, key);

        assertThat(answer.statusCode()).isEqualTo(429);
        assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(answer.body())
                .contains("urn:meridian:problem:limit-exceeded", "\"allowed\":false", "\"status\":429");
        assertThat(answer.headers()
                        .firstValue("Retry-After")
                        .map(Long::parseLong)
                        .orElse(0L))
                .isPositive();
        assertThat(answer.headers().firstValue("X-RateLimit-Remaining")).hasValue("0");
        assertThat(answer.headers().firstValue("RateLimit")).isPresent();
        assertThat(backend().api().calls(path)).isEqualTo(LIMIT);
        assertThat(get(running(gateway), path, newKey()).statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @EnumSource
    @Order(3)
    void a_client_on_the_deny_list_is_a_403(Gateway gateway) throws Exception {
        HttpResponse<String> answer = get(running(gateway), "/open/banned", "banned");

        assertThat(answer.statusCode()).isEqualTo(403);
        assertThat(answer.body()).contains("urn:meridian:problem:deny-listed");
        assertThat(backend().api().calls("/open/banned")).isZero();
    }

    @ParameterizedTest
    @EnumSource
    @Order(4)
    void an_allowed_post_reaches_the_api_once_with_its_whole_body(Gateway gateway) throws Exception {
        String path = "/open/post-" + gateway;
        HttpRequest post = request(running(gateway), path, newKey())
                .POST(BodyPublishers.ofString("x".repeat(300_000)))
                .build();

        HttpResponse<String> answer = client.send(post, BodyHandlers.ofString());

        assertThat(answer.body()).isEqualTo("POST of 300000");
        assertThat(hasLimits(answer)).isTrue();
        assertThat(backend().api().calls(path)).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    @Order(5)
    void an_error_of_the_api_is_the_clients_and_its_request_is_not_sent_again(Gateway gateway) throws Exception {
        String path = "/open/broken-" + gateway;
        HttpRequest post = request(running(gateway), path, newKey())
                .POST(BodyPublishers.ofString("hello"))
                .build();

        assertThat(client.send(post, BodyHandlers.ofString()).statusCode()).isEqualTo(500);
        assertThat(backend().api().calls(path)).isEqualTo(1);
    }

    /** The address is that of the connection, and path and method are those of the request, whatever the client says of them. */
    @ParameterizedTest
    @EnumSource
    @Order(6)
    void a_client_cannot_choose_its_address_path_or_method(Gateway gateway) throws Exception {
        int host = keys.incrementAndGet();
        String own = "127.1.0." + host;
        List<String> statuses = new ArrayList<>();
        for (int i = 0; i <= LIMIT; i++) {
            statuses.add(statusFrom(own, running(gateway), "203.0.113." + i));
        }
        statuses.add(statusFrom("127.1.1." + host, running(gateway), "203.0.113.0"));

        assertThat(statuses).containsExactly("200", "200", "200", "429", "200");
    }

    private static String statusFrom(String address, Running gateway, String claimed) throws IOException {
        String request = "GET /by-address/a HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Forwarded-For: " + claimed
                + "\r\nX-Forwarded-Uri: /open/x\r\nX-Forwarded-Method: PUT\r\n\r\n";
        try (Socket socket = new Socket(
                InetAddress.getLoopbackAddress(), gateway.site().port(), InetAddress.getByName(address), 0)) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return answer.split(" ", 3)[1];
        }
    }

    @ParameterizedTest
    @EnumSource
    @Order(7)
    void thousands_of_requests_pass_without_a_failed_one_over_kept_connections(Gateway gateway) throws Exception {
        Running target = running(gateway);
        String key = newKey();
        int before = target.relay().connections();
        Batch limited = send(() -> get(target, "/open/many", key), GatewaysIT::hasLimits);
        int connections = target.relay().connections() - before;
        URI api = URI.create("http://127.0.0.1:" + backend().api().port() + "/open/many");
        Batch direct =
                send(() -> client.send(HttpRequest.newBuilder(api).build(), BodyHandlers.ofString()), answer -> true);

        System.out.printf(
                "[gateways] %s: %d requests, %d failed, %d connections to the limiter; %.2f ms a request, of the API alone %.2f ms%n",
                gateway, REQUESTS, REQUESTS - limited.good(), connections, limited.millis(), direct.millis());
        assertThat(limited.good()).isEqualTo(REQUESTS);
        assertThat(connections).isLessThanOrEqualTo(CONNECTIONS_MAX);
    }

    /**
     * Result of all requests.
     *
     * @param millis of one request, on average; printed only, since a busy machine adds to it
     */
    private record Batch(int good, double millis) {}

    private interface Call {
        HttpResponse<String> send() throws Exception;
    }

    private static Batch send(Call call, Predicate<HttpResponse<String>> expected) {
        long startNanos = TIME.monotonicNanos();
        AtomicInteger left = new AtomicInteger(REQUESTS);
        AtomicInteger good = new AtomicInteger();
        ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
        List<CompletableFuture<Void>> work = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            work.add(CompletableFuture.runAsync(
                    () -> {
                        while (left.getAndDecrement() > 0) {
                            good.addAndGet(isGood(call, expected) ? 1 : 0);
                        }
                    },
                    callers));
        }
        work.forEach(CompletableFuture::join);
        callers.shutdown();
        double millis = (TIME.monotonicNanos() - startNanos) / 1e6 * CALLERS / REQUESTS;
        return new Batch(good.get(), millis);
    }

    private static boolean isGood(Call call, Predicate<HttpResponse<String>> expected) {
        try {
            HttpResponse<String> answer = call.send();
            return answer.statusCode() == 200 && expected.test(answer);
        } catch (Exception failed) {
            return false;
        }
    }

    /** One wait of a budget for all of them. */
    @Test
    @Order(8)
    void a_limiter_that_hangs_lets_requests_pass_after_the_budget_and_decides_again_afterwards() throws Exception {
        List<Running> all = installed();
        backend().limiter().freeze();
        List<HttpResponse<String>> answers;
        try {
            answers = posts(all);
        } finally {
            backend().limiter().thaw();
        }

        requirePassed(answers);
        for (Running each : all) {
            requireLimitedAgain(each);
        }
    }

    @Test
    @Order(9)
    void a_limiter_that_is_gone_lets_requests_pass_and_decides_again_when_it_is_back() throws Exception {
        List<Running> all = installed();
        backend().limiter().kill();

        requirePassed(posts(all));
        for (Running each : all) {
            String path = "/open/broken-while-gone-" + each.site().port();
            HttpRequest post = request(each, path, newKey())
                    .POST(BodyPublishers.ofString("hello"))
                    .build();
            assertThat(client.send(post, BodyHandlers.ofString()).statusCode()).isEqualTo(500);
            assertThat(backend().api().calls(path)).isEqualTo(1);
        }

        backend().limiter().restart();
        for (Running each : all) {
            requireLimitedAgain(each);
        }
    }

    private List<Running> installed() throws IOException {
        List<Running> all = new ArrayList<>();
        for (Gateway each : Gateway.values()) {
            if (each.lacking().isEmpty()) {
                all.add(running(each));
            }
        }
        assumeTrue(!all.isEmpty(), "no gateway is installed");
        return all;
    }

    private List<HttpResponse<String>> posts(List<Running> all) {
        List<CompletableFuture<HttpResponse<String>>> posts = all.stream()
                .map(each -> client.sendAsync(
                        request(each, "/open/passed", newKey())
                                .POST(BodyPublishers.ofString("x".repeat(100_000)))
                                .build(),
                        BodyHandlers.ofString()))
                .toList();
        return posts.stream().map(CompletableFuture::join).toList();
    }

    private static void requirePassed(List<HttpResponse<String>> answers) {
        assertThat(answers).allSatisfy(answer -> {
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo("POST of 100000");
            assertThat(hasLimits(answer)).isFalse();
        });
    }

    private void requireLimitedAgain(Running gateway) {
        String key = newKey();
        eventually("requests are limited again").until(() -> {
            HttpResponse<String> answer = get(gateway, "/limited/again", key);
            return answer.statusCode() == 429;
        });
    }
}
