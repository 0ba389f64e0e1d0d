package io.meridian.limiter.api;

import io.meridian.limiter.LimiterConfig.ApiConfig;
import io.meridian.limiter.api.ApiRoute.Routes;
import io.meridian.limiter.caller.Caller;
import io.meridian.limiter.caller.CallerResolver;
import io.meridian.limiter.decide.CheckResult;
import io.meridian.limiter.decide.Limiter;
import io.meridian.limiter.decide.Limiter.RequestIdReused;
import io.meridian.limiter.http.CheckAnswers;
import io.meridian.limiter.http.CheckAnswers.BatchResult;
import io.meridian.limiter.http.CheckJsonReader;
import io.meridian.limiter.http.CheckJsonReader.BatchItem;
import io.meridian.limiter.http.CheckJsonReader.CheckCall;
import io.meridian.limiter.http.ErrorCode;
import io.meridian.limiter.http.HttpAnswer;
import io.meridian.limiter.http.RequestGate.CallerToken;
import io.meridian.limiter.http.StatusQuery;
import io.meridian.model.match.Check;
import io.meridian.model.validation.FieldError;
import io.meridian.model.validation.ValidationException;
import io.meridian.service.http.Problem;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Calls of every request of an API server: check, batch and status. Plain routes and no resource, because quarkus-rest costs as much as
 * the decision itself (ADR 35). META-INF/openapi.yaml describes them.
 */
@Singleton
class CheckRoutes {
    private static final String RATE_LIMIT = "/api/v1/rate-limit";

    private final Limiter limiter;
    private final CallerResolver callers;
    private final CheckAnswers answers;
    private final ProblemMapper problems;
    private final CheckJsonReader single;
    private final CheckJsonReader batch;
    private final int bytesMax;

    CheckRoutes(
            Limiter limiter, CallerResolver callers, CheckAnswers answers, ProblemMapper problems, ApiConfig config) {
        this.limiter = limiter;
        this.callers = callers;
        this.answers = answers;
        this.problems = problems;
        this.single = new CheckJsonReader(config.checkBodyMax().asLongValue());
        this.batch = new CheckJsonReader(config.batchBodyMax().asLongValue());
        this.bytesMax = Math.toIntExact(config.batchBodyMax().asLongValue());
    }

    void install(@Observes Router router) {
        new Routes(router, bytesMax, problems)
                .post(RATE_LIMIT + "/check", (routed, body) -> check(body))
                .post(RATE_LIMIT + "/check/batch", (routed, body) -> batch(body))
                .get(RATE_LIMIT + "/status", (routed, body) -> status(routed.request()));
    }

    private CompletionStage<HttpAnswer> check(byte[] body) {
        return single.check(body, false).decidedBy(limiter).thenApply(answers::check);
    }

    private CompletionStage<HttpAnswer> batch(byte[] body) {
        return new BatchRun(limiter, batch.batch(body)).results().thenApply(answers::batch);
    }

    /** A status without attributes is about the caller itself. */
    private CompletionStage<HttpAnswer> status(HttpServerRequest request) {
        StatusQuery query = StatusQuery.read(request.query());
        if (query.namesClient()) {
            return limiter.status(query.check()).thenApply(answers::standing);
        }
        Caller caller = callers.identify(request, CallerToken.bearer(request));
        Check own = query.check(caller.attributes());
        Optional<String> tier = limiter.tier(own);
        return limiter.status(own).thenApply(ruling -> answers.ownStanding(ruling, caller, tier));
    }

    /** Batch in progress: all its checks are requested in order and without waiting, so that they share a turn of the event loop. */
    static final class BatchRun {
        private static final Logger LOG = Logger.getLogger(BatchRun.class);
        private static final Problem FAILED = Problem.of(ErrorCode.INTERNAL, "the check could not be made");

        private final AtomicReferenceArray<BatchResult> results;
        private final AtomicInteger open;
        private final CompletableFuture<List<BatchResult>> all = new CompletableFuture<>();

        BatchRun(Limiter limiter, List<BatchItem> items) {
            this.results = new AtomicReferenceArray<>(items.size());
            this.open = new AtomicInteger(items.size());
            for (int i = 0; i < items.size(); i++) {
                int index = i;
                if (items.get(i) instanceof BatchItem.Legible legible) {
                    ask(limiter, legible.call()).whenComplete((ruling, failure) -> settle(index, ruling, failure));
                } else {
                    settle(index, new BatchResult.NotAsked(((BatchItem.Illegible) items.get(i)).problem()));
                }
            }
        }

        /** The results in the order of the items, once all are there. */
        CompletionStage<List<BatchResult>> results() {
            return all;
        }

        private static CompletionStage<CheckResult> ask(Limiter limiter, CheckCall call) {
            try {
                return call.decidedBy(limiter);
            } catch (RuntimeException failure) {
                return CompletableFuture.failedFuture(failure);
            }
        }

        private void settle(int index, @Nullable CheckResult ruling, @Nullable Throwable failure) {
            Throwable cause = cause(failure);
            if (ruling != null) {
                settle(index, new BatchResult.Ruled(ruling));
            } else if (cause instanceof RequestIdReused reused) {
                settle(index, new BatchResult.NotAsked(CheckCall.refusal(reused, "checks[" + index + "].")));
            } else if (cause instanceof ValidationException invalid) {
                settle(index, new BatchResult.NotAsked(invalid(index, invalid)));
            } else {
                LOG.error("a check of a batch failed", failure);
                settle(index, new BatchResult.NotAsked(FAILED));
            }
        }

        private static @Nullable Throwable cause(@Nullable Throwable failure) {
            return failure instanceof CompletionException ? failure.getCause() : failure;
        }

        private static Problem invalid(int index, ValidationException invalid) {
            return Problem.of(
                    ErrorCode.INVALID,
                    invalid.errors().stream()
                            .map(each ->
                                    new FieldError("checks[" + index + "]." + each.field(), each.value(), each.rule()))
                            .toList());
        }

        private void settle(int index, BatchResult result) {
            results.set(index, result);
            if (open.decrementAndGet() == 0) {
                BatchResult[] settled = new BatchResult[results.length()];
                for (int i = 0; i < settled.length; i++) {
                    settled[i] = results.get(i);
                }
                all.complete(List.of(settled));
            }
        }
    }
}
