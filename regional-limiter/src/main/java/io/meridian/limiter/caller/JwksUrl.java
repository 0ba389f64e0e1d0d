package io.meridian.limiter.caller;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** JWKS at a URL, read whole within a time and up to {@link JwtKeys#DOCUMENT_MAX} bytes. No redirect is followed. */
final class JwksUrl implements JwtKeys.Source {
    private final URI url;
    private final Duration timeout;
    private final HttpClient client;

    JwksUrl(URI url, Duration timeout) {
        this.url = url;
        this.timeout = timeout;
        this.client = HttpClient.newBuilder()
                .connectTimeout(timeout)
                .followRedirects(HttpClient.Redirect.NEVER)
                .build();
    }

    @Override
    public String read() throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(url)
                .timeout(timeout)
                .header("Accept", "application/json")
                .build();
        CompletableFuture<HttpResponse<String>> call = client.sendAsync(request, head -> new Bounded());
        try {
            HttpResponse<String> response = call.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
            if (response.statusCode() != 200) {
                throw new IOException("the answer has status " + response.statusCode());
            }
            return response.body();
        } catch (TimeoutException late) {
            call.cancel(true);
            throw new IOException("no answer within " + timeout, late);
        } catch (ExecutionException failed) {
            throw new IOException(String.valueOf(failed.getCause()), failed.getCause());
        }
    }

    @Override
    public String toString() {
        return url.toString();
    }

    /** Body up to the bound; a longer one fails and is not read further. */
    private static final class Bounded implements HttpResponse.BodySubscriber<String> {
        private final CompletableFuture<String> body = new CompletableFuture<>();
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private Flow.@Nullable Subscription subscription;

        @Override
        public CompletionStage<String> getBody() {
            return body;
        }

        @Override
        public void onSubscribe(Flow.Subscription begun) {
            subscription = begun;
            begun.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(List<ByteBuffer> buffers) {
            for (ByteBuffer buffer : buffers) {
                if (bytes.size() + buffer.remaining() > JwtKeys.DOCUMENT_MAX) {
                    if (subscription != null) {
                        subscription.cancel();
                    }
                    body.completeExceptionally(new IOException("more than " + JwtKeys.DOCUMENT_MAX + " bytes"));
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
            body.complete(bytes.toString(StandardCharsets.UTF_8));
        }
    }
}
