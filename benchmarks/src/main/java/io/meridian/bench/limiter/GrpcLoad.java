package io.meridian.bench.limiter;

import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.stub.StreamObserver;
import io.meridian.limiter.envoy.v3.RateLimitDescriptor;
import io.meridian.limiter.envoy.v3.RateLimitDescriptor.Entry;
import io.meridian.limiter.envoy.v3.RateLimitRequest;
import io.meridian.limiter.envoy.v3.RateLimitResponse;
import io.meridian.limiter.envoy.v3.RateLimitResponse.Code;
import io.meridian.limiter.envoy.v3.RateLimitServiceGrpc;
import io.meridian.limiter.envoy.v3.RateLimitServiceGrpc.RateLimitServiceStub;
import io.meridian.model.time.TimeSource;
import io.meridian.testkit.load.Keys;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Closed loop of calls to the rate limit service, as many under way as the load over HTTP has, on few connections as a proxy keeps them.
 * The check is that of {@link Loads}.
 */
final class GrpcLoad implements AutoCloseable {
    private static final int CONNECTIONS = 4;
    private static final int CALLS_UNDER_WAY = 64;
    private static final int WAIT_SECONDS = 60;

    private final TimeSource time = TimeSource.system();
    private final List<ManagedChannel> channels = new ArrayList<>();

    GrpcLoad(URI server) {
        for (int i = 0; i < CONNECTIONS; i++) {
            channels.add(ManagedChannelBuilder.forAddress(server.getHost(), server.getPort())
                    .usePlaintext()
                    .directExecutor()
                    .build());
        }
    }

    /** Calls for this long, or until so many were made; the number of answers, all of which were OK. */
    long run(Keys keys, long callsMax, Duration atMost) throws InterruptedException {
        Run run = new Run(keys, callsMax, time.monotonicNanos() + atMost.toNanos());
        for (int i = 0; i < CALLS_UNDER_WAY; i++) {
            new Lane(run, RateLimitServiceGrpc.newStub(channels.get(i % CONNECTIONS))).call();
        }
        if (!run.open.await(atMost.toSeconds() + WAIT_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("answers were overdue by " + WAIT_SECONDS + " s");
        }
        Throwable failure = run.failure.get();
        if (failure != null) {
            throw new IllegalStateException("a call failed", failure);
        }
        return run.answers.sum();
    }

    @Override
    public void close() {
        channels.forEach(ManagedChannel::shutdownNow);
    }

    private static RateLimitRequest request(long key) {
        String digits = String.format(Locale.ROOT, "%010d", key);
        return RateLimitRequest.newBuilder()
                .setDomain("bench")
                .addDescriptors(RateLimitDescriptor.newBuilder()
                        .addEntries(entry("user_id", "u" + digits))
                        .addEntries(entry("api_key", "k-" + digits))
                        .addEntries(entry("tenant", "acme"))
                        .addEntries(entry("path", "/api/v1/users"))
                        .addEntries(entry("method", "GET"))
                        .addEntries(entry("header:x-plan", "beta")))
                .build();
    }

    private static Entry.Builder entry(String key, String value) {
        return Entry.newBuilder().setKey(key).setValue(value);
    }

    /** State of one run, shared by the threads of all connections. */
    private final class Run {
        private final Keys keys;
        private final long endNanos;
        private final CountDownLatch open = new CountDownLatch(CALLS_UNDER_WAY);
        private final LongAdder answers = new LongAdder();
        private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        private long left;

        Run(Keys keys, long callsMax, long endNanos) {
            this.keys = keys;
            this.left = callsMax;
            this.endNanos = endNanos;
        }

        /** The next request, null if the run is over. */
        synchronized @Nullable RateLimitRequest next() {
            boolean over = left == 0 || failure.get() != null || time.monotonicNanos() >= endNanos;
            if (over) {
                return null;
            }
            left--;
            return request(keys.next());
        }
    }

    /** One call after the other. */
    private static final class Lane implements StreamObserver<RateLimitResponse> {
        private final Run run;
        private final RateLimitServiceStub stub;

        Lane(Run run, RateLimitServiceStub stub) {
            this.run = run;
            this.stub = stub;
        }

        void call() {
            RateLimitRequest request = run.next();
            if (request == null) {
                run.open.countDown();
            } else {
                stub.shouldRateLimit(request, this);
            }
        }

        @Override
        public void onNext(RateLimitResponse response) {
            if (response.getOverallCode() != Code.OK || response.getResponseHeadersToAddCount() == 0) {
                run.failure.compareAndSet(null, new IllegalStateException("not decided as allowed: " + response));
            }
            run.answers.increment();
        }

        @Override
        public void onError(Throwable failed) {
            run.failure.compareAndSet(null, failed);
            run.open.countDown();
        }

        @Override
        public void onCompleted() {
            call();
        }
    }
}
