package io.meridian.limiter.envoy;

import io.grpc.Status;
import io.meridian.limiter.LimiterConfig.ApiConfig;
import io.meridian.service.http.Redaction;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * First handler of every gRPC call: refuses what the framework's server would fail at, or leave unanswered. Messages are not compressed:
 * they are small, and there is no bound on what a compressed one becomes.
 */
@Singleton
class GrpcGate {
    /** Before the framework's gRPC server, after the gate of the HTTP API. */
    private static final int ORDER = -9;

    private static final String GRPC = "application/grpc";
    private static final String BINARY = "-bin";
    private static final CharSequence ENCODING = HttpHeaders.createOptimized("grpc-encoding");
    private static final CharSequence IDENTITY = HttpHeaders.createOptimized("identity");

    private final long bytesMax;

    GrpcGate(ApiConfig api) {
        this.bytesMax = api.batchBodyMax().asLongValue();
    }

    void install(@Observes Router router) {
        router.route().order(ORDER).handler(this::pass);
    }

    private void pass(RoutingContext call) {
        HttpServerRequest request = call.request();
        String type = request.version() == HttpVersion.HTTP_2 ? request.getHeader(HttpHeaders.CONTENT_TYPE) : null;
        if (type == null || !type.startsWith(GRPC)) {
            call.next();
            return;
        }
        Status refusal = refusal(request);
        if (refusal == null) {
            // Without it, the framework leaves a call unanswered whose message says that it is compressed.
            request.headers().set(ENCODING, IDENTITY);
            call.next();
        } else {
            refuse(call, refusal);
        }
    }

    private @Nullable Status refusal(HttpServerRequest request) {
        String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        if (length != null && (length.length() > 18 || Long.parseLong(length) > bytesMax)) {
            return Status.RESOURCE_EXHAUSTED.withDescription(
                    "the message must have at most " + bytesMax + " bytes, got " + Redaction.value(length));
        }
        String encoding = request.getHeader(ENCODING);
        if (encoding != null && !IDENTITY.toString().equals(encoding)) {
            return Status.UNIMPLEMENTED.withDescription(
                    "grpc-encoding must be " + IDENTITY + ", got " + Redaction.value(encoding));
        }
        for (Map.Entry<String, String> header : request.headers()) {
            if (header.getKey().endsWith(BINARY) && !isBase64(header.getValue())) {
                return Status.INVALID_ARGUMENT.withDescription("the metadata " + Redaction.value(header.getKey())
                        + " must be Base64, got " + Redaction.value(header.getValue()));
            }
        }
        return null;
    }

    private static boolean isBase64(String text) {
        try {
            Base64.getDecoder().decode(text);
            return true;
        } catch (IllegalArgumentException malformed) {
            return false;
        }
    }

    /** An answer of trailers alone, which gRPC sends as headers. */
    private static void refuse(RoutingContext call, Status status) {
        String text = URLEncoder.encode(String.valueOf(status.getDescription()), StandardCharsets.UTF_8)
                .replace("+", "%20");
        call.response()
                .putHeader(HttpHeaders.CONTENT_TYPE, GRPC)
                .putHeader("grpc-status", Integer.toString(status.getCode().value()))
                .putHeader("grpc-message", text)
                .putHeader("grpc-accept-encoding", IDENTITY)
                .end();
        // The rest of the body is discarded, and holds no window of the connection.
        call.request().resume();
    }
}
