package io.meridian.limiter.api;

import io.meridian.limiter.LimiterConfig.ApiConfig;
import io.meridian.limiter.caller.Caller;
import io.meridian.limiter.caller.CallerResolver;
import io.meridian.limiter.decide.CheckResult;
import io.meridian.limiter.decide.Limiter;
import io.meridian.limiter.decide.Limiter.RequestIdReused;
import io.meridian.limiter.http.BodyBytes;
import io.meridian.limiter.http.CheckAnswers;
import io.meridian.limiter.http.CheckAnswers.BatchResult;
import io.meridian.limiter.http.CheckJsonReader;
import io.meridian.limiter.http.CheckJsonReader.BatchItem;
import io.meridian.limiter.http.CheckJsonReader.CheckCall;
import io.meridian.limiter.http.ErrorCode;
import io.meridian.limiter.http.HttpAnswer;
import io.meridian.limiter.http.RequestGate;
import io.meridian.limiter.http.RequestGate.CallerToken;
import io.meridian.limiter.http.StatusQuery;
import io.meridian.limiter.operations.OperationTrail;
import io.meridian.limiter.operations.OperationTrail.Entry;
import io.meridian.limiter.operations.OperationTrail.Kind;
import io.meridian.model.match.Check;
import io.meridian.model.validation.FieldError;
import io.meridian.model.validation.ValidationException;
import io.meridian.service.http.Problem;
import io.smallrye.common.annotation.NonBlocking;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Resource of checks and of status, refund and reset. */
@Path("/api/v1/rate-limit")
@Produces(MediaType.APPLICATION_JSON)
@NonBlocking
@Tag(name = "Checks")
@APIResponse(responseCode = "400", ref = "Malformed")
@APIResponse(responseCode = "422", ref = "Invalid")
@APIResponse(responseCode = "401", ref = "Unauthenticated")
@APIResponse(responseCode = "403", ref = "DenyListed")
@APIResponse(responseCode = "503", ref = "Undecided")
class CheckResource {
    private final Limiter limiter;
    private final CallerResolver callers;
    private final CheckAnswers answers;
    private final OperationTrail trail;
    private final CheckJsonReader single;
    private final CheckJsonReader batch;

    CheckResource(
            Limiter limiter, CallerResolver callers, CheckAnswers answers, OperationTrail trail, ApiConfig config) {
        this.limiter = limiter;
        this.callers = callers;
        this.answers = answers;
        this.trail = trail;
        this.single = new CheckJsonReader(config.checkBodyMax().asLongValue());
        this.batch = new CheckJsonReader(config.batchBodyMax().asLongValue());
    }

    @POST
    @Path("/check")
    @Operation(summary = "Decides whether a request may go on, and charges it")
    @RequestBody(ref = "Check")
    @APIResponse(responseCode = "200", ref = "Allowed")
    @APIResponse(responseCode = "429", ref = "LimitExceeded")
    public CompletionStage<HttpAnswer> check(BodyBytes body) {
        return single.check(body.bytes(), false).decidedBy(limiter).thenApply(answers::check);
    }

    @POST
    @Path("/check/batch")
    @Operation(summary = "Makes up to 100 checks, each for itself, and answers them in order")
    @RequestBody(ref = "Batch")
    @APIResponse(responseCode = "200", ref = "BatchResults")
    public CompletionStage<HttpAnswer> batch(BodyBytes body) {
        return new BatchRun(limiter, batch.batch(body.bytes())).results().thenApply(answers::batch);
    }

    @GET
    @Path("/status")
    @Operation(
            summary = "Says how the limits of a request stand, and charges nothing",
            description = "Every query parameter is an attribute but endpoint, method, cost, and header.NAME. "
                    + "Without an attribute it is about the caller itself, identified as at forward-auth.")
    @APIResponse(responseCode = "200", ref = "Standing")
    public CompletionStage<HttpAnswer> status(@Context HttpServerRequest request) {
        StatusQuery query = StatusQuery.read(request.query());
        if (query.namesClient()) {
            return limiter.status(query.check()).thenApply(answers::standing);
        }
        Caller caller = callers.identify(request, CallerToken.bearer(request));
        Check own = query.check(caller.attributes());
        Optional<String> tier = limiter.tier(own);
        return limiter.status(own).thenApply(ruling -> answers.ownStanding(ruling, caller, tier));
    }

    @POST
    @Path("/refund")
    @Operation(summary = "Gives the cost of a check back, and says how its limits then stand")
    @RequestBody(ref = "Check")
    @APIResponse(responseCode = "200", ref = "Standing")
    public CompletionStage<HttpAnswer> refund(BodyBytes body, @Context RoutingContext call) {
        CheckCall asked = single.check(body.bytes(), false);
        return told(Kind.REFUND, call, asked, limiter.refund(asked.check())).thenApply(answers::standing);
    }

    @POST
    @Path("/reset")
    @Operation(summary = "Forgets what was counted for the limits of a check, and says how they then stand")
    @RequestBody(ref = "Check")
    @APIResponse(responseCode = "200", ref = "Standing")
    public CompletionStage<HttpAnswer> reset(BodyBytes body, @Context RoutingContext call) {
        CheckCall asked = single.check(body.bytes(), false);
        return told(Kind.RESET, call, asked, limiter.reset(asked.check())).thenApply(answers::standing);
    }

    /** Tells the audit trail, also of an operation that failed: it may have changed something. */
    private CompletionStage<CheckResult> told(
            Kind kind, RoutingContext call, CheckCall asked, CompletionStage<CheckResult> ruled) {
        String caller = RequestGate.caller(call);
        return ruled.whenComplete(
                (ruling, failure) -> trail.add(new Entry(kind, caller, asked.check(), asked.requestId(), ruling)));
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
