package io.meridian.stack.rules;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Calls of the admin API: bounded in time and size, never redirected, since the token would go along. */
public final class AdminHttp {
    private static final String BASE = "/admin/api/v1";
    private static final Duration CONNECT_WITHIN = Duration.ofSeconds(5);
    private static final Duration ANSWER_WITHIN = Duration.ofMinutes(2);
    private static final int BYTES_MAX = 16 << 20;
    private static final Set<String> LISTS_KEPT = Set.of("errors", "warnings");
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_WITHIN)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();
    private final String url;
    private final String token;

    public AdminHttp(String url, String token) {
        this.url = url.replaceFirst("/+$", "");
        this.token = token;
    }

    /** An answer, whatever its status; without a body it is a missing node. */
    public record Answer(int status, JsonNode body) {
        public boolean isGood() {
            return status >= 200 && status < 300;
        }
    }

    /**
     * Call of any operation.
     *
     * @param path with its query, below the base of the admin API
     * @param headers more than those that every call has
     */
    public Answer call(String method, String path, HttpRequest.BodyPublisher body, Map<String, String> headers) {
        HttpRequest.Builder request = request(path).method(method, body);
        headers.forEach(request::header);
        return send(path, request.build(), JSON::readTree);
    }

    Answer get(String path) {
        return call("GET", path, HttpRequest.BodyPublishers.noBody(), Map.of());
    }

    /** A POST without a body, to a path that creates something. */
    Answer create(String path) {
        return send(
                path, request(path).POST(HttpRequest.BodyPublishers.noBody()).build(), JSON::readTree);
    }

    /** Of the answer only the fields of its top are kept, and of its lists errors and warnings; it repeats all that was sent. */
    Answer post(String path, byte[] body, String ifMatch) {
        HttpRequest request = request(path)
                .header("Content-Type", "application/json")
                .header("If-Match", ifMatch)
                .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                .build();
        return send(path, request, AdminHttp::top);
    }

    private static JsonNode top(byte[] body) throws IOException {
        ObjectNode top = JSON.createObjectNode();
        try (JsonParser parser = JSON.createParser(body)) {
            parser.nextToken();
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String field = parser.currentName();
                if (parser.nextToken() == JsonToken.START_ARRAY && !LISTS_KEPT.contains(field)) {
                    parser.skipChildren();
                } else {
                    top.set(field, parser.<JsonNode>readValueAsTree());
                }
            }
        }
        return top;
    }

    private interface Reader {
        JsonNode read(byte[] body) throws IOException;
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(url + BASE + path))
                .header("Accept", "application/json")
                .header("Authorization", "Bearer " + token);
    }

    private Answer send(String path, HttpRequest request, Reader reader) {
        CompletableFuture<HttpResponse<byte[]>> sent = client.sendAsync(request, info -> new BoundedBody(BYTES_MAX));
        try {
            // Not the request's own timeout, which ends with the first byte of the answer.
            HttpResponse<byte[]> response = sent.get(ANSWER_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
            return new Answer(response.statusCode(), reader.read(response.body()));
        } catch (TimeoutException late) {
            sent.cancel(true);
            throw failure(path, "did not answer within " + ANSWER_WITHIN.toSeconds() + " s", late);
        } catch (ExecutionException failed) {
            throw failure(path, "cannot be asked: " + reason(failed.getCause()), failed);
        } catch (IOException malformed) {
            throw failure(path, "did not answer with JSON; is it a config-service?", malformed);
        } catch (InterruptedException interrupted) {
            sent.cancel(true);
            Thread.currentThread().interrupt();
            throw failure(path, "was not waited for", interrupted);
        }
    }

    private static String reason(@Nullable Throwable cause) {
        for (Throwable each = cause; each != null; each = each.getCause()) {
            if (each instanceof UnresolvedAddressException) {
                return "there is no host of that name";
            } else if (each instanceof HttpConnectTimeoutException) {
                return "no connection within " + CONNECT_WITHIN.toSeconds() + " s";
            } else if (each instanceof SSLException) {
                return "no TLS connection, " + each.getMessage();
            } else if (each instanceof ConnectException) {
                return "nothing listens there, or the network refuses the connection";
            }
        }
        String message = cause == null ? null : cause.getMessage();
        return message == null ? "the connection failed" : message;
    }

    private RuleFailure failure(String path, String reason, Exception cause) {
        return new RuleFailure(
                RuleFailure.Kind.UNAVAILABLE, url + BASE + path.replaceFirst("\\?.*", "") + " " + reason, cause);
    }

    /** Takes the body of an answer up to a bound, and no more of it. */
    private static final class BoundedBody implements BodySubscriber<byte[]> {
        private final int bytesMax;
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final CompletableFuture<byte[]> body = new CompletableFuture<>();
        private Flow.Subscription subscription = NONE;

        private static final Flow.Subscription NONE = new Flow.Subscription() {
            @Override
            public void request(long count) {}

            @Override
            public void cancel() {}
        };

        BoundedBody(int bytesMax) {
            this.bytesMax = bytesMax;
        }

        @Override
        public CompletionStage<byte[]> getBody() {
            return body;
        }

        @Override
        public void onSubscribe(Flow.Subscription given) {
            subscription = given;
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(List<ByteBuffer> buffers) {
            for (ByteBuffer buffer : buffers) {
                if (buffer.remaining() > bytesMax - bytes.size()) {
                    subscription.cancel();
                    body.completeExceptionally(new IOException("it has more than " + bytesMax + " bytes"));
                    return;
                }
                byte[] part = new byte[buffer.remaining()];
                buffer.get(part);
                bytes.writeBytes(part);
            }
        }

        @Override
        public void onError(Throwable failure) {
            body.completeExceptionally(failure);
        }

        @Override
        public void onComplete() {
            body.complete(bytes.toByteArray());
        }
    }
}
