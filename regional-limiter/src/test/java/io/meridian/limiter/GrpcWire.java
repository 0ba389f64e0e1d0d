package io.meridian.limiter;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Client of HTTP/2 with prior knowledge that sends bytes as they are, which no gRPC library would send. */
final class GrpcWire implements AutoCloseable {
    static final String SHOULD_RATE_LIMIT = "/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit";
    private static final int WITHIN_SECONDS = 120;

    private final HttpClient client;

    GrpcWire(Vertx vertx, int port) {
        client = vertx.createHttpClient(new HttpClientOptions()
                .setProtocolVersion(HttpVersion.HTTP_2)
                .setHttp2ClearTextUpgrade(false)
                .setHttp2MaxPoolSize(4)
                .setDefaultHost("127.0.0.1")
                .setDefaultPort(port));
    }

    /** Answer to a call, wherever gRPC put its status. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Answer(int http, @Nullable String status, String message, byte[] body) {
        String hex() {
            return HexFormat.of().formatHex(body);
        }
    }

    /** A message with the five bytes that gRPC puts before it. */
    static Buffer frame(int flag, byte[] message) {
        return Buffer.buffer().appendByte((byte) flag).appendInt(message.length).appendBytes(message);
    }

    Answer call(Map<String, String> headers, Buffer body) throws Exception {
        return wait(send(SHOULD_RATE_LIMIT, headers, body));
    }

    static Answer wait(Future<Answer> answer) throws Exception {
        return answer.toCompletionStage().toCompletableFuture().get(WITHIN_SECONDS, TimeUnit.SECONDS);
    }

    /** A reset of the stream is a failure of the future. */
    Future<Answer> send(String path, Map<String, String> headers, Buffer body) {
        return client.request(HttpMethod.POST, path).compose(request -> {
            request.putHeader("content-type", "application/grpc").putHeader("te", "trailers");
            headers.forEach(request::putHeader);
            // Without a length, as gRPC clients send it, unless a test names one.
            request.setChunked(!headers.containsKey("content-length"));
            Future<Void> unused = request.end(body);
            return request.response().compose(GrpcWire::read);
        });
    }

    Future<Integer> get(String path) {
        return client.request(HttpMethod.GET, path)
                .compose(request -> request.send())
                .compose(response -> response.body().map(body -> response.statusCode()));
    }

    private static Future<Answer> read(HttpClientResponse response) {
        return response.body().map(body -> {
            String inHeaders = response.getHeader("grpc-status");
            String status = inHeaders == null ? response.getTrailer("grpc-status") : inHeaders;
            String message =
                    inHeaders == null ? response.getTrailer("grpc-message") : response.getHeader("grpc-message");
            return new Answer(
                    response.statusCode(),
                    status,
                    message == null ? "" : URLDecoder.decode(message.replace("+", "%2B"), StandardCharsets.UTF_8),
                    body.getBytes());
        });
    }

    @Override
    public void close() {
        client.close();
    }
}
