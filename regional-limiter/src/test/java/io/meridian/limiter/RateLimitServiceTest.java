package io.meridian.limiter;

import static io.meridian.testkit.Await.eventually;
import static io.restassured.RestAssured.given;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.hamcrest.Matchers.equalTo;

import com.google.protobuf.UInt64Value;
import grpc.health.v1.HealthGrpc;
import grpc.health.v1.HealthOuterClass.HealthCheckRequest;
import grpc.health.v1.HealthOuterClass.HealthCheckResponse.ServingStatus;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import io.meridian.limiter.GrpcWire.Answer;
import io.meridian.limiter.envoy.v3.HeaderValue;
import io.meridian.limiter.envoy.v3.RateLimitDescriptor;
import io.meridian.limiter.envoy.v3.RateLimitDescriptor.Entry;
import io.meridian.limiter.envoy.v3.RateLimitRequest;
import io.meridian.limiter.envoy.v3.RateLimitResponse;
import io.meridian.limiter.envoy.v3.RateLimitResponse.Code;
import io.meridian.limiter.envoy.v3.RateLimitResponse.DescriptorStatus;
import io.meridian.limiter.envoy.v3.RateLimitResponse.RateLimit.Unit;
import io.meridian.limiter.envoy.v3.RateLimitServiceGrpc;
import io.meridian.limiter.envoy.v3.RateLimitServiceGrpc.RateLimitServiceBlockingStub;
import io.meridian.limiter.redis.RedisUnderTestResource;
import io.meridian.testkit.TestAmounts;
import io.meridian.testkit.TestSeeds;
import io.meridian.testkit.servers.RedisUnderTest;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.RestAssured;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Envoy's rate limit service as its clients see it, on a real Redis. Every test has clients of its own. */
@QuarkusTest
@WithTestResource(RedisUnderTestResource.class)
@TestProfile(JourneyTest.Policies.class)
@Timeout(300)
class RateLimitServiceTest {
    private static final int FRAMES = TestAmounts.of(600, 12_000);
    private static final int CALLS_OF_ALL_LOOPS = 64;
    private static final int FILE_GROWTH_MAX = 16;
    private static final Map<String, String> TOKEN = Map.of("authorization", "Bearer " + JourneyTest.CHECKS);

    /** Domain {@code shop}, and one descriptor: user_id {@code g-bo}, path {@code /users}. */
    private static final String REQUEST = "0a0473686f70" // domain
            + "1221" // descriptor
            + "0a0f" + "0a07757365725f6964" + "1204672d626f"
            + "0a0e" + "0a0470617468" + "12062f7573657273";

    @Inject
    Vertx vertx;

    @SuppressWarnings("NullAway.Init") // by the resource
    RedisUnderTest redis;

    private ManagedChannel channel;
    private GrpcWire wire;

    @BeforeEach
    void connect() {
        channel = ManagedChannelBuilder.forAddress("127.0.0.1", RestAssured.port)
                .usePlaintext()
                .build();
        wire = new GrpcWire(vertx, RestAssured.port);
    }

    @AfterEach
    void disconnect() {
        channel.shutdownNow();
        wire.close();
    }

    private RateLimitServiceBlockingStub client(String header, String value) {
        Metadata metadata = new Metadata();
        metadata.put(Metadata.Key.of(header, Metadata.ASCII_STRING_MARSHALLER), value);
        return RateLimitServiceGrpc.newBlockingStub(channel)
                .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(metadata));
    }

    private RateLimitServiceBlockingStub client() {
        return client("authorization", "Bearer " + JourneyTest.CHECKS);
    }

    private static RateLimitDescriptor.Builder descriptor(String... keysAndValues) {
        RateLimitDescriptor.Builder descriptor = RateLimitDescriptor.newBuilder();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            descriptor.addEntries(Entry.newBuilder().setKey(keysAndValues[i]).setValue(keysAndValues[i + 1]));
        }
        return descriptor;
    }

    private static RateLimitDescriptor.Builder user(String user, String path) {
        return descriptor("user_id", user, "path", path);
    }

    private static RateLimitRequest request(RateLimitDescriptor.Builder... descriptors) {
        RateLimitRequest.Builder request = RateLimitRequest.newBuilder().setDomain("shop");
        for (RateLimitDescriptor.Builder each : descriptors) {
            request.addDescriptors(each);
        }
        return request.build();
    }

    private static Map<String, String> headers(RateLimitResponse response) {
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (HeaderValue each : response.getResponseHeadersToAddList()) {
            assertThat(headers.put(each.getKey(), each.getValue()))
                    .as("an earlier " + each.getKey())
                    .isNull();
        }
        return headers;
    }

    private static Status refused(RateLimitServiceBlockingStub client, RateLimitRequest request) {
        StatusRuntimeException failure =
                catchThrowableOfType(StatusRuntimeException.class, () -> client.shouldRateLimit(request));
        assertThat(failure).as("the refusal").isNotNull();
        return failure.getStatus();
    }

    @Test
    void a_limit_counts_down_and_is_then_over_with_headers_and_a_body_for_the_client() {
        for (int left = 9; left >= 0; left--) {
            RateLimitResponse response = client().shouldRateLimit(request(user("g-ann", "/users?page=1")));

            assertThat(response.getOverallCode()).isEqualTo(Code.OK);
            assertThat(response.getStatusesList()).hasSize(1);
            DescriptorStatus status = response.getStatuses(0);
            assertThat(status.getCode()).isEqualTo(Code.OK);
            assertThat(status.getCurrentLimit().getName()).isEqualTo("user");
            assertThat(status.getCurrentLimit().getRequestsPerUnit()).isEqualTo(10);
            assertThat(status.getCurrentLimit().getUnit()).isEqualTo(Unit.UNKNOWN);
            assertThat(status.getLimitRemaining()).isEqualTo(left);
            assertThat(status.getDurationUntilReset().getSeconds()).isPositive();
            assertThat(headers(response))
                    .containsEntry("X-RateLimit-Limit", "10")
                    .containsEntry("X-RateLimit-Remaining", Integer.toString(left))
                    .containsKeys("X-RateLimit-Reset", "RateLimit", "RateLimit-Policy")
                    .doesNotContainKey("Retry-After");
            assertThat(response.getRawBody().isEmpty()).isTrue();
        }

        RateLimitResponse over = client().shouldRateLimit(request(user("g-ann", "/users")));

        assertThat(over.getOverallCode()).isEqualTo(Code.OVER_LIMIT);
        assertThat(over.getStatuses(0).getCode()).isEqualTo(Code.OVER_LIMIT);
        assertThat(over.getStatuses(0).getLimitRemaining()).isZero();
        assertThat(headers(over)).containsKey("Retry-After").containsEntry("Content-Type", "application/problem+json");
        assertThat(over.getRawBody().toStringUtf8()).contains("urn:meridian:problem:limit-exceeded");
        assertThat(standing("g-ann")).isZero();
    }

    private static int standing(String user) {
        return given().header("Authorization", "Bearer " + JourneyTest.ALL)
                .queryParam("user_id", user)
                .queryParam("endpoint", "/users")
                .get("/api/v1/rate-limit/status")
                .then()
                .statusCode(200)
                .extract()
                .path("remaining");
    }

    @Test
    void the_addend_is_the_cost_and_an_explicit_0_consumes_nothing() {
        RateLimitRequest dear = request(user("g-cy", "/users")).toBuilder()
                .setHitsAddend(4)
                .addDescriptors(user("g-cy", "/users").setHitsAddend(UInt64Value.of(5)))
                .addDescriptors(user("g-cy", "/users").setHitsAddend(UInt64Value.of(0)))
                .build();

        RateLimitResponse response = client().shouldRateLimit(dear);

        assertThat(response.getStatusesList())
                .extracting(DescriptorStatus::getLimitRemaining)
                .containsExactly(6, 1, 1);
        assertThat(response.getOverallCode()).isEqualTo(Code.OK);
        assertThat(client().shouldRateLimit(dear).getStatusesList())
                .extracting(DescriptorStatus::getCode)
                .containsExactly(Code.OVER_LIMIT, Code.OVER_LIMIT, Code.OK);
        assertThat(standing("g-cy")).isEqualTo(1);
    }

    @Test
    void any_descriptor_over_its_limit_puts_the_request_over_and_each_is_charged_for_itself() {
        client().shouldRateLimit(request(user("g-di", "/users").setHitsAddend(UInt64Value.of(10))));

        RateLimitResponse response = client().shouldRateLimit(
                        request(user("g-ed", "/users"), user("g-di", "/users"), user("g-di", "/nowhere")));

        assertThat(response.getOverallCode()).isEqualTo(Code.OVER_LIMIT);
        assertThat(response.getStatusesList())
                .extracting(DescriptorStatus::getCode)
                .containsExactly(Code.OK, Code.OVER_LIMIT, Code.OK);
        assertThat(response.getStatuses(2).hasCurrentLimit()).isFalse();
        assertThat(headers(response))
                .containsEntry("X-RateLimit-Remaining", "0")
                .containsKey("Retry-After");
        assertThat(standing("g-ed")).isEqualTo(9);
    }

    @Test
    void the_domain_is_an_attribute_and_a_month_has_its_unit() {
        RateLimitRequest shop = request(user("g-fi", "/domain"));

        assertThat(client().shouldRateLimit(shop)
                        .getStatuses(0)
                        .getCurrentLimit()
                        .getUnit())
                .isEqualTo(Unit.MONTH);
        assertThat(client().shouldRateLimit(shop).getOverallCode()).isEqualTo(Code.OK);
        assertThat(client().shouldRateLimit(shop).getOverallCode()).isEqualTo(Code.OVER_LIMIT);
        assertThat(client().shouldRateLimit(shop.toBuilder().setDomain("other").build())
                        .getOverallCode())
                .isEqualTo(Code.OK);
    }

    @Test
    void lists_shadows_and_throttles_answer_as_the_http_api_does() {
        RateLimitResponse barred =
                client().shouldRateLimit(request(descriptor("remote_address", "192.0.2.7", "path", "/users")));
        assertThat(barred.getOverallCode()).isEqualTo(Code.OVER_LIMIT);
        assertThat(barred.getStatuses(0).hasCurrentLimit()).isFalse();
        assertThat(barred.getRawBody().toStringUtf8()).contains("urn:meridian:problem:deny-listed");

        RateLimitRequest exempt = request(user("alice", "/users").setHitsAddend(UInt64Value.of(1_000)));
        assertThat(client().shouldRateLimit(exempt).getOverallCode()).isEqualTo(Code.OK);

        RateLimitRequest watched = request(user("g-gus", "/watched").setHitsAddend(UInt64Value.of(2)));
        assertThat(client().shouldRateLimit(watched).getOverallCode()).isEqualTo(Code.OK);
        assertThat(client().shouldRateLimit(watched).getStatuses(0).hasCurrentLimit())
                .isFalse();

        RateLimitRequest throttled = request(user("g-gus", "/throttled"));
        assertThat(client().shouldRateLimit(throttled).getOverallCode()).isEqualTo(Code.OK);
        assertThat(headers(client().shouldRateLimit(throttled))).containsKey("Retry-After");
        assertThat(client().shouldRateLimit(throttled).getOverallCode()).isEqualTo(Code.OVER_LIMIT);
    }

    @Test
    void bytes_as_envoy_sends_them_are_answered_with_bytes_that_envoy_reads() throws Exception {
        // The same with a user whom no policy limits: OK, and one status that is OK.
        String unlimited = REQUEST.replace("2f7573657273", "2f7573657258");
        assertThat(wire.call(TOKEN, frame(unlimited)).hex()).isEqualTo("0000000006" + "0801" + "12020801");

        Answer answer = wire.call(TOKEN, frame(REQUEST));
        assertThat(answer.http()).isEqualTo(200);
        assertThat(answer.status()).isEqualTo("0");
        // overall_code OK; a status: code OK, current_limit {requests_per_unit 10, name "user"}, limit_remaining 9.
        assertThat(answer.hex()).contains("0801" + "1208" + "080a" + "1a0475736572" + "1809" + "22");

        // As newer versions of Envoy have it: hits_addend of the descriptor, and fields that this server does not know.
        String dear = "0a0473686f70" + "1225" + REQUEST.substring(16) + "1a020803" + "f8070a";
        assertThat(wire.call(TOKEN, frame(dear)).hex()).contains("1a0475736572" + "1806" + "22");
        assertThat(standing("g-bo")).isEqualTo(6);
    }

    private static Buffer frame(String hex) {
        return GrpcWire.frame(0, HexFormat.of().parseHex(hex));
    }

    @Test
    void bad_input_is_an_invalid_argument_that_names_field_and_value() throws Exception {
        Status twice = refused(client(), request(descriptor("user_id", "1", "user_id", "2")));
        assertThat(twice.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(twice.getDescription())
                .contains("descriptors[0].entries[1].key")
                .contains("got user_id");

        Status none = refused(client(), RateLimitRequest.getDefaultInstance());
        assertThat(none.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(none.getDescription()).contains("domain must").contains("descriptors must");

        Status address = refused(client(), request(descriptor("remote_address", "ümlaut\r\nx: y")));
        assertThat(address.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(address.getDescription())
                .contains("entries.remote_address")
                .contains("ümlaut")
                .doesNotContain("\r");

        for (Buffer body : List.of(
                frame("0a05ff"),
                frame("0a01ff" + "1200"),
                Buffer.buffer(),
                Buffer.buffer("abc"),
                GrpcWire.frame(1, "abc".getBytes(UTF_8)),
                frame(REQUEST).appendBuffer(frame(REQUEST)))) {
            assertThat(wire.call(TOKEN, body).status()).as(body.toString()).isEqualTo("3");
        }
        assertThat(wire.call(with("grpc-timeout", "soon"), frame(REQUEST)).message())
                .contains("grpc-timeout", "soon");
        assertThat(wire.call(with("x-thing-bin", "%%%"), frame(REQUEST)).status())
                .isEqualTo("3");
        assertThat(wire.call(with("grpc-encoding", "gzip"), frame(REQUEST)).status())
                .isEqualTo("12");
        Answer large = wire.call(TOKEN, GrpcWire.frame(0, new byte[300_000]));
        assertThat(large.status()).isEqualTo("8");
        Answer announced = wire.call(with("content-length", "300005"), GrpcWire.frame(0, new byte[300_000]));
        assertThat(announced.status()).isEqualTo("8");
        assertThat(announced.message()).contains("300005");
        assertThat(GrpcWire.wait(wire.send("/envoy.service.ratelimit.v3.RateLimitService/Other", TOKEN, frame(REQUEST)))
                        .status())
                .isEqualTo("12");
    }

    private static Map<String, String> with(String header, String value) {
        return Map.of("authorization", TOKEN.get("authorization"), header, value);
    }

    @Test
    void a_call_needs_a_token_for_checks() throws Exception {
        RateLimitRequest request = request(user("g-hal", "/users"));

        assertThat(refused(RateLimitServiceGrpc.newBlockingStub(channel), request)
                        .getCode())
                .isEqualTo(Status.Code.UNAUTHENTICATED);
        assertThat(refused(client("authorization", "Bearer wrong"), request).getCode())
                .isEqualTo(Status.Code.UNAUTHENTICATED);
        assertThat(refused(client("authorization", JourneyTest.CHECKS), request).getCode())
                .isEqualTo(Status.Code.UNAUTHENTICATED);
        Status loads = refused(client("authorization", "Bearer " + JourneyTest.LOADS), request);
        assertThat(loads.getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
        assertThat(loads.getDescription()).contains("check").contains("load").doesNotContain(JourneyTest.LOADS);
        assertThat(wire.call(Map.of(), frame("ffff")).status()).isEqualTo("16");

        assertThat(client("x-meridian-token", JourneyTest.CHECKS)
                        .shouldRateLimit(request)
                        .getStatuses(0)
                        .getLimitRemaining())
                .isEqualTo(9);
    }

    @Test
    void a_policy_that_fails_closed_is_over_the_limit_while_it_cannot_be_decided() {
        RateLimitRequest request = request(user("g-ivy", "/closed"));
        assertThat(client().shouldRateLimit(request)
                        .getStatuses(0)
                        .getCurrentLimit()
                        .getUnit())
                .isEqualTo(Unit.DAY);
        redis.kill();

        RateLimitResponse response =
                client().shouldRateLimit(request(user("g-jo", "/closed"), user("g-jo", "/nowhere")));
        RateLimitResponse local = client().shouldRateLimit(request(user("g-jo", "/users")));

        redis.restart();
        assertThat(response.getOverallCode()).isEqualTo(Code.OVER_LIMIT);
        assertThat(response.getStatusesList())
                .extracting(DescriptorStatus::getCode)
                .containsExactly(Code.OVER_LIMIT, Code.OK);
        assertThat(headers(response)).containsEntry("Retry-After", "1").containsEntry("X-RateLimit-Degraded", "true");
        assertThat(response.getRawBody().toStringUtf8()).contains("urn:meridian:problem:undecided");
        assertThat(local.getOverallCode()).isEqualTo(Code.OK);
        assertThat(headers(local)).containsEntry("X-RateLimit-Degraded", "true");
        awaitRedis();
    }

    private void awaitRedis() {
        eventually("Redis decides again, whichever event loop is asked").until(() -> {
            for (int i = 0; i < CALLS_OF_ALL_LOOPS; i++) {
                boolean degraded = given().header("Authorization", "Bearer " + JourneyTest.CHECKS)
                        .contentType("application/json")
                        .body("{\"attributes\": {\"user_id\": \"g-kim\"}, \"endpoint\": \"/users\", \"cost\": 0}")
                        .post("/api/v1/rate-limit/check")
                        .then()
                        .extract()
                        .path("degraded");
                if (degraded) {
                    return false;
                }
            }
            return true;
        });
    }

    @Test
    void a_call_ends_when_its_time_is_over() throws Exception {
        String cold = REQUEST.replace("672d626f", HexFormat.of().formatHex("g-li".getBytes(UTF_8)));
        redis.freeze();
        try {
            Answer answer = wire.call(with("grpc-timeout", "20m"), frame(cold));

            assertThat(answer.status()).isEqualTo("4");
            assertThat(answer.body()).isEmpty();
        } finally {
            redis.thaw();
        }
        assertThat(wire.call(with("grpc-timeout", "100S"), frame(cold)).status())
                .isEqualTo("0");
    }

    @Test
    void health_and_reflection_need_no_token_and_http_goes_on_beside_them() throws Exception {
        var health = HealthGrpc.newBlockingStub(channel);
        for (String service : List.of("", "envoy.service.ratelimit.v3.RateLimitService")) {
            assertThat(health.check(HealthCheckRequest.newBuilder()
                                    .setService(service)
                                    .build())
                            .getStatus())
                    .isEqualTo(ServingStatus.SERVING);
        }
        assertThat(reflected(ServerReflectionRequest.newBuilder()
                                .setListServices("")
                                .build())
                        .getListServicesResponse()
                        .getServiceList())
                .extracting(each -> each.getName())
                .contains("envoy.service.ratelimit.v3.RateLimitService", "grpc.health.v1.Health");
        assertThat(reflected(ServerReflectionRequest.newBuilder()
                                .setFileContainingSymbol("envoy.extensions.common.ratelimit.v3.RateLimitDescriptor")
                                .build())
                        .getFileDescriptorResponse()
                        .getFileDescriptorProtoList())
                .isNotEmpty();
        assertThat(wire.get("/q/health/live")
                        .toCompletionStage()
                        .toCompletableFuture()
                        .get(1, TimeUnit.MINUTES))
                .isEqualTo(200);
    }

    private ServerReflectionResponse reflected(ServerReflectionRequest request) throws Exception {
        CompletableFuture<ServerReflectionResponse> answer = new CompletableFuture<>();
        StreamObserver<ServerReflectionRequest> requests = ServerReflectionGrpc.newStub(channel)
                .serverReflectionInfo(new StreamObserver<>() {
                    @Override
                    public void onNext(ServerReflectionResponse response) {
                        answer.complete(response);
                    }

                    @Override
                    public void onError(Throwable failure) {
                        answer.completeExceptionally(failure);
                    }

                    @Override
                    public void onCompleted() {}
                });
        requests.onNext(request);
        ServerReflectionResponse response = answer.get(1, TimeUnit.MINUTES);
        requests.onCompleted();
        return response;
    }

    @Test
    void broken_frames_are_all_answered_and_do_no_harm() throws Exception {
        long seed = TestSeeds.first();
        SplittableRandom random = new SplittableRandom(seed);
        long filesBefore = openFiles();
        Map<String, Integer> statuses = new TreeMap<>();
        for (int played = 0; played < FRAMES; played += 50) {
            List<Future<Answer>> answers = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                answers.add(wire.send(GrpcWire.SHOULD_RATE_LIMIT, TOKEN, mutated(random)));
            }
            for (Future<Answer> each : answers) {
                Answer answer = GrpcWire.wait(each);
                assertThat(answer.http()).as("-Dmeridian.seed=" + seed).isEqualTo(200);
                statuses.merge(String.valueOf(answer.status()), 1, Integer::sum);
            }
        }

        System.out.println("gRPC fuzz: answers by status " + statuses);
        assertThat(statuses).containsKeys("0", "3").doesNotContainKeys("2", "13", "null");
        assertThat(standing("g-mo")).isPositive();
        given().header("Authorization", "Bearer " + JourneyTest.CHECKS)
                .contentType("application/json")
                .body("{}")
                .post("/api/v1/rate-limit/check")
                .then()
                .statusCode(200)
                .body("allowed", equalTo(true));
        wire.close();
        eventually("connections are closed").until(() -> openFiles() - filesBefore < FILE_GROWTH_MAX);
    }

    /** A valid frame with a few bytes changed, cut off, doubled, or with another length or flag. */
    private static Buffer mutated(SplittableRandom random) {
        byte[] message = HexFormat.of()
                .parseHex(REQUEST.replace(
                        "672d626f", HexFormat.of().formatHex(("u" + random.nextInt(100, 999)).getBytes(UTF_8))));
        for (int i = random.nextInt(4); i > 0; i--) {
            message[random.nextInt(message.length)] = (byte) random.nextInt(256);
        }
        Buffer frame = GrpcWire.frame(random.nextInt(8) == 0 ? random.nextInt(256) : 0, message);
        return switch (random.nextInt(10)) {
            case 0 -> frame.slice(0, random.nextInt(frame.length()));
            case 1 -> Buffer.buffer().appendBuffer(frame).appendBuffer(frame);
            case 2 -> frame.setInt(1, random.nextInt());
            case 3 -> frame.setInt(1, random.nextInt(message.length + 20));
            default -> frame;
        };
    }

    /** Where the system does not tell, none. */
    private static long openFiles() {
        Path own = Path.of("/proc/self/fd");
        if (!Files.isDirectory(own)) {
            return 0;
        }
        try (Stream<Path> files = Files.list(own)) {
            return files.count();
        } catch (IOException untold) {
            return 0;
        }
    }
}
