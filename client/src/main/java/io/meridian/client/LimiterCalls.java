package io.meridian.client;

import io.meridian.client.ClientListener.Call;
import io.meridian.client.LimiterPool.Address;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * HTTP calls to the limiters. A call that fails without a timeout is repeated once, at another address if there is one: what the first may
 * have charged is then spent for nothing, and no limit is exceeded. A call that times out is not repeated.
 */
final class LimiterCalls implements AutoCloseable {
    private static final int THREADS = 2;
    private static final int SERVER_ERROR = 500;
    private static final int UNAVAILABLE = 503;
    private static final AtomicInteger CLIENTS = new AtomicInteger();

    private final ClientSettings settings;
    private final ClientClock clock;
    private final LimiterPool pool;
    private final ExecutorService threads;
    private final HttpClient http;
    private volatile boolean closed;

    LimiterCalls(ClientSettings settings, ClientClock clock) {
        this.settings = settings;
        this.clock = clock;
        this.pool = new LimiterPool(settings.limiters(), settings.listener());
        int number = CLIENTS.incrementAndGet();
        AtomicInteger thread = new AtomicInteger();
        this.threads = Executors.newFixedThreadPool(THREADS, task -> {
            Thread made = new Thread(task, "meridian-client-" + number + "-" + thread.incrementAndGet());
            made.setDaemon(true);
            return made;
        });
        this.http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(settings.connectTimeout())
                .executor(threads)
                .build();
    }

    /**
     * Answer to a call.
     *
     * @param sentNanos before it was sent
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Response(int status, byte[] body, long sentNanos) {}

    /** Failure of a call for want of an address in use. Carries no stack trace: a flood of them is normal. */
    static final class NoLimiter extends IOException {
        private static final long serialVersionUID = 1;

        NoLimiter() {
            super("no limiter is in use");
        }

        @Override
        public synchronized Throwable fillInStackTrace() {
            return this;
        }
    }

    CompletionStage<Response> post(Call call, String path, byte[] body) {
        return post(call, path, body, null);
    }

    private CompletionStage<Response> post(Call call, String path, byte[] body, @Nullable Address failed) {
        Address address = closed ? null : pool.next(failed);
        if (address == null) {
            return CompletableFuture.failedFuture(new NoLimiter());
        }
        HttpRequest.Builder request = HttpRequest.newBuilder(address.path(path))
                .timeout(settings.timeout())
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(body));
        CompletionStage<Response> sent = send(call, address, request);
        if (failed != null) {
            return sent;
        }
        return sent.handle((response, failure) ->
                        failure == null || isTimeout(failure) ? sent : post(call, path, body, address))
                .thenCompose(settled -> settled);
    }

    private CompletionStage<Response> send(Call call, Address address, HttpRequest.Builder request) {
        if (settings.token() != null) {
            request.header("Authorization", "Bearer " + settings.token());
        }
        long sentNanos = clock.nanos();
        CompletionStage<HttpResponse<byte[]>> sent;
        try {
            sent = http.sendAsync(request.build(), HttpResponse.BodyHandlers.ofByteArray());
        } catch (RuntimeException closing) {
            sent = CompletableFuture.failedFuture(closing);
        }
        return sent.handle((answer, failure) -> {
            long nanos = clock.nanos() - sentNanos;
            if (answer == null) {
                pool.failed(address, String.valueOf(failure));
                settings.listener().called(call, 0, nanos);
                throw new CompletionException(failure);
            }
            settings.listener().called(call, answer.statusCode(), nanos);
            // A limiter whose region is away says so with 503, and does answer.
            if (answer.statusCode() >= SERVER_ERROR && (call == Call.PROBE || answer.statusCode() != UNAVAILABLE)) {
                pool.failed(address, "status " + answer.statusCode());
            } else {
                pool.succeeded(address);
            }
            return new Response(answer.statusCode(), answer.body(), sentNanos);
        });
    }

    private static boolean isTimeout(Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        // Nothing was sent on a connection that did not come about.
        return cause instanceof HttpTimeoutException && !(cause instanceof HttpConnectTimeoutException);
    }

    /** Asks every address that is out of use whether it is ready. */
    void probe() {
        for (Address each : pool.down()) {
            send(
                            Call.PROBE,
                            each,
                            HttpRequest.newBuilder(each.path("/q/health/ready"))
                                    .timeout(settings.timeout())
                                    .GET())
                    .exceptionally(stillDown -> new Response(0, new byte[0], 0));
        }
    }

    @Override
    public void close() {
        closed = true;
        threads.shutdown();
    }
}
