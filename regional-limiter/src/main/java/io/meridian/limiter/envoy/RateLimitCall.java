package io.meridian.limiter.envoy;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.meridian.limiter.caller.AccessTokens;
import io.meridian.limiter.caller.AccessTokens.Admission;
import io.meridian.limiter.decide.CheckResult;
import io.meridian.limiter.decide.Limiter;
import io.meridian.limiter.envoy.RequestMarshaller.Message;
import io.meridian.limiter.envoy.v3.RateLimitRequest;
import io.meridian.limiter.envoy.v3.RateLimitResponse;
import io.meridian.model.access.TokenEntry.TokenScope;
import io.meridian.model.match.Check;
import io.meridian.model.validation.ValidationException;
import io.meridian.service.http.Redaction;
import io.netty.channel.EventLoop;
import io.vertx.core.Vertx;
import io.vertx.core.impl.ContextInternal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * One call of the rate limit service, from its metadata to its answer. All of it runs on the event loop of the call's connection.
 *
 * <p>A call ends after the time that its caller gives it ({@code grpc-timeout}), and after {@link #CALL_MAX} in any case, with
 * {@code DEADLINE_EXCEEDED}: a caller that never sends its request, or sends a frame that the framework cannot read, holds nothing for
 * longer. A call whose time is over before its request is there charges nothing; one that is being decided is charged, as a request
 * goes on whose proxy got no answer.
 */
final class RateLimitCall extends ServerCall.Listener<Message> {
    static final Duration CALL_MAX = Duration.ofSeconds(10);

    private static final Logger LOG = Logger.getLogger(RateLimitCall.class);
    private static final Set<TokenScope> SCOPES = Set.of(TokenScope.CHECK);
    private static final Metadata.Key<String> AUTHORIZATION = key("authorization");
    private static final Metadata.Key<String> OWN_TOKEN = key("x-meridian-token");
    private static final Metadata.Key<String> TIMEOUT = key("grpc-timeout");
    private static final String BEARER = "bearer ";
    private static final int DESCRIPTION_MAX = 500;

    private final ServerCall<Message, RateLimitResponse> call;
    private final Limiter limiter;
    private final RateLimitResponses responses;
    private final EventLoop loop;
    private final Future<?> timer;

    private @Nullable Message message;
    private boolean closed;

    private RateLimitCall(
            ServerCall<Message, RateLimitResponse> call,
            Limiter limiter,
            RateLimitResponses responses,
            EventLoop loop,
            long nanos) {
        this.call = call;
        this.limiter = limiter;
        this.responses = responses;
        this.loop = loop;
        this.timer = loop.schedule(this::timeIsOver, nanos, TimeUnit.NANOSECONDS);
    }

    private static Metadata.Key<String> key(String name) {
        return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
    }

    /** Begins a call, or refuses it by its metadata. */
    static ServerCall.Listener<Message> start(
            ServerCall<Message, RateLimitResponse> call,
            Metadata metadata,
            Limiter limiter,
            AccessTokens tokens,
            RateLimitResponses responses) {
        Status refusal = refusal(tokens, metadata);
        if (refusal != null) {
            return refused(call, refusal);
        }
        String timeout = metadata.get(TIMEOUT);
        long nanos = timeout == null ? CALL_MAX.toNanos() : Math.min(CALL_MAX.toNanos(), GrpcTimeout.nanos(timeout));
        if (nanos < 0) {
            return refused(
                    call,
                    Status.INVALID_ARGUMENT.withDescription(
                            "grpc-timeout must be 1 to 8 digits and a unit of H, M, S, m," + " u or n, got "
                                    + Redaction.value(String.valueOf(timeout))));
        }
        EventLoop loop = ((ContextInternal) Vertx.currentContext()).nettyEventLoop();
        RateLimitCall started = new RateLimitCall(call, limiter, responses, loop, nanos);
        call.request(2); // A second message, which there must not be, is noticed.
        return started;
    }

    private static ServerCall.Listener<Message> refused(ServerCall<?, ?> call, Status status) {
        call.close(status, new Metadata());
        return new ServerCall.Listener<>() {};
    }

    private static @Nullable Status refusal(AccessTokens tokens, Metadata metadata) {
        if (tokens.open()) {
            return null;
        }
        Admission admission = tokens.admit(presented(metadata), SCOPES);
        if (admission instanceof Admission.Admitted) {
            return null;
        }
        if (admission instanceof Admission.MissingScope missing) {
            return Status.PERMISSION_DENIED.withDescription(
                    "this needs the scope check, and the token " + missing.token() + " has "
                            + missing.scopes().stream()
                                    .map(scope -> scope.name().toLowerCase(Locale.ROOT))
                                    .sorted()
                                    .toList());
        }
        return Status.UNAUTHENTICATED.withDescription(
                admission instanceof Admission.WithoutToken
                        ? "the call must bear a token of this limiter in the metadata authorization"
                        : "the call's token is none of this limiter");
    }

    private static @Nullable String presented(Metadata metadata) {
        String own = metadata.get(OWN_TOKEN);
        String header = metadata.get(AUTHORIZATION);
        if (own != null || header == null || header.length() <= BEARER.length()) {
            return own;
        }
        String scheme = header.substring(0, BEARER.length()).toLowerCase(Locale.ROOT);
        return scheme.equals(BEARER) ? header.substring(BEARER.length()).strip() : null;
    }

    @Override
    public void onMessage(Message received) {
        if (message == null) {
            message = received;
        } else {
            close(Status.INVALID_ARGUMENT.withDescription("the call must have one message, got another"));
        }
    }

    @Override
    public void onHalfClose() {
        if (closed) {
            return;
        }
        RateLimitRequest request = message == null ? null : message.request();
        if (request == null) {
            close(Status.INVALID_ARGUMENT.withDescription(
                    message == null
                            ? "the call must have one message, got none"
                            : "the message must be an envoy.service.ratelimit.v3.RateLimitRequest, got other bytes"));
            return;
        }
        try {
            decide(DescriptorChecks.of(request));
        } catch (ValidationException invalid) {
            close(invalid(invalid));
        } catch (RuntimeException failure) {
            fail(failure);
        }
    }

    @Override
    public void onCancel() {
        closed = true;
        timer.cancel(false);
    }

    @Override
    public void onComplete() {
        timer.cancel(false);
    }

    /** Asks for all checks in order and without waiting, so that they share a turn of the event loop. */
    private void decide(List<Check> checks) {
        if (checks.size() == 1) {
            limiter.check(checks.get(0)).whenComplete((result, failure) -> onLoop(result, failure));
            return;
        }
        List<CompletableFuture<CheckResult>> results = new ArrayList<>(checks.size());
        for (Check check : checks) {
            results.add(limiter.check(check).toCompletableFuture());
        }
        // Its failure is handled like its results.
        var unused = CompletableFuture.allOf(results.toArray(CompletableFuture<?>[]::new))
                .thenApply(done -> results.stream().map(CompletableFuture::join).toList())
                .whenComplete(this::allOnLoop);
    }

    private void onLoop(@Nullable CheckResult result, @Nullable Throwable failure) {
        allOnLoop(result == null ? null : List.of(result), failure);
    }

    private void allOnLoop(@Nullable List<CheckResult> results, @Nullable Throwable failure) {
        if (loop.inEventLoop()) {
            answer(results, failure);
        } else {
            loop.execute(() -> answer(results, failure));
        }
    }

    private void answer(@Nullable List<CheckResult> results, @Nullable Throwable failure) {
        if (closed) {
            return;
        }
        if (results == null) {
            fail(failure);
            return;
        }
        RateLimitResponse response = responses.of(results);
        call.sendHeaders(new Metadata());
        call.sendMessage(response);
        close(Status.OK);
    }

    private void fail(@Nullable Throwable failure) {
        LOG.error("a request of the rate limit service could not be decided", failure);
        close(Status.INTERNAL.withDescription("the limiter failed; its log says why"));
    }

    private void timeIsOver() {
        close(Status.DEADLINE_EXCEEDED.withDescription("the call was not decided within its time"));
    }

    private void close(Status status) {
        if (!closed) {
            closed = true;
            timer.cancel(false);
            try {
                call.close(status, new Metadata());
            } catch (IllegalStateException answered) {
                // The framework answers a message that is too large itself, and does not tell its listener.
                LOG.debugf("a call was answered before it was closed with %s", status.getCode());
            }
        }
    }

    /** Every field that is wrong, with its value: as many of them as a short text holds. */
    private static Status invalid(ValidationException invalid) {
        StringBuilder text = new StringBuilder();
        invalid.errors().forEach(each -> {
            if (text.length() < DESCRIPTION_MAX) {
                text.append(text.isEmpty() ? "" : "; ").append(each);
            }
        });
        return Status.INVALID_ARGUMENT.withDescription(Redaction.text(text.toString()));
    }

    /** Time that a caller gives a call: {@code 20m} is 20 ms. */
    static final class GrpcTimeout {
        private static final int DIGITS_MAX = 8;
        private static final String UNITS = "numSMH";
        private static final List<TimeUnit> TIME_UNITS = List.of(
                TimeUnit.NANOSECONDS,
                TimeUnit.MICROSECONDS,
                TimeUnit.MILLISECONDS,
                TimeUnit.SECONDS,
                TimeUnit.MINUTES,
                TimeUnit.HOURS);

        private GrpcTimeout() {}

        /** Negative if the text is none; the largest number if it is longer than numbers are. */
        static long nanos(String text) {
            int digits = text.length() - 1;
            int unit = digits < 1 ? -1 : UNITS.indexOf(text.charAt(digits));
            if (unit < 0 || digits > DIGITS_MAX) {
                return -1;
            }
            long value = 0;
            for (int i = 0; i < digits; i++) {
                char c = text.charAt(i);
                if (c < '0' || c > '9') {
                    return -1;
                }
                value = 10 * value + c - '0';
            }
            return TIME_UNITS.get(unit).toNanos(value);
        }
    }
}
