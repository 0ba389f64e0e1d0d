package io.meridian.limiter.api;

import io.meridian.limiter.LimiterConfig.ApiConfig;
import io.meridian.limiter.decide.CheckResult;
import io.meridian.limiter.decide.Limiter;
import io.meridian.limiter.http.BodyBytes;
import io.meridian.limiter.http.CheckAnswers;
import io.meridian.limiter.http.CheckJsonReader;
import io.meridian.limiter.http.CheckJsonReader.CheckCall;
import io.meridian.limiter.http.HttpAnswer;
import io.meridian.limiter.http.RequestGate;
import io.meridian.limiter.operations.OperationTrail;
import io.meridian.limiter.operations.OperationTrail.Entry;
import io.meridian.limiter.operations.OperationTrail.Kind;
import io.smallrye.common.annotation.NonBlocking;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import java.util.concurrent.CompletionStage;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Resource of the corrections of counters: refund and reset. */
@Path("/api/v1/rate-limit")
@Produces(MediaType.APPLICATION_JSON)
@NonBlocking
@Tag(name = "Checks")
@APIResponse(responseCode = "400", ref = "Malformed")
@APIResponse(responseCode = "422", ref = "Invalid")
@APIResponse(responseCode = "401", ref = "Unauthenticated")
@APIResponse(responseCode = "403", ref = "DenyListed")
@APIResponse(responseCode = "503", ref = "Undecided")
class CounterResource {
    private final Limiter limiter;
    private final CheckAnswers answers;
    private final OperationTrail trail;
    private final CheckJsonReader bodies;

    CounterResource(Limiter limiter, CheckAnswers answers, OperationTrail trail, ApiConfig config) {
        this.limiter = limiter;
        this.answers = answers;
        this.trail = trail;
        this.bodies = new CheckJsonReader(config.checkBodyMax().asLongValue());
    }

    @POST
    @Path("/refund")
    @Operation(summary = "Gives the cost of a check back, and says how its limits then stand")
    @RequestBody(ref = "Check")
    @APIResponse(responseCode = "200", ref = "Standing")
    public CompletionStage<HttpAnswer> refund(BodyBytes body, @Context RoutingContext call) {
        CheckCall asked = bodies.check(body.bytes(), false);
        return told(Kind.REFUND, call, asked, limiter.refund(asked.check())).thenApply(answers::standing);
    }

    @POST
    @Path("/reset")
    @Operation(summary = "Forgets what was counted for the limits of a check, and says how they then stand")
    @RequestBody(ref = "Check")
    @APIResponse(responseCode = "200", ref = "Standing")
    public CompletionStage<HttpAnswer> reset(BodyBytes body, @Context RoutingContext call) {
        CheckCall asked = bodies.check(body.bytes(), false);
        return told(Kind.RESET, call, asked, limiter.reset(asked.check())).thenApply(answers::standing);
    }

    /** Tells the audit trail, also of an operation that failed: it may have changed something. */
    private CompletionStage<CheckResult> told(
            Kind kind, RoutingContext call, CheckCall asked, CompletionStage<CheckResult> ruled) {
        String caller = RequestGate.caller(call);
        return ruled.whenComplete(
                (ruling, failure) -> trail.add(new Entry(kind, caller, asked.check(), asked.requestId(), ruling)));
    }
}
