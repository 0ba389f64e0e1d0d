package io.meridian.limiter.api;

import io.meridian.limiter.LimiterConfig.ApiConfig;
import io.meridian.limiter.decide.CheckResult;
import io.meridian.limiter.decide.Limiter;
import io.meridian.limiter.http.BodyBytes;
import io.meridian.limiter.http.CheckAnswers;
import io.meridian.limiter.http.CheckJsonReader;
import io.meridian.limiter.http.CheckJsonReader.CheckCall;
import io.meridian.limiter.http.ErrorCode;
import io.meridian.limiter.http.HttpAnswer;
import io.meridian.model.policy.LimitSpec;
import io.meridian.service.http.ProblemException;
import io.meridian.service.http.Redaction;
import io.smallrye.common.annotation.NonBlocking;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestPath;

/** Resource of reservations: charged first, settled when the cost is known. */
@Path("/api/v1/rate-limit/reservations")
@Produces(MediaType.APPLICATION_JSON)
@NonBlocking
@Tag(name = "Reservations")
@APIResponse(responseCode = "400", ref = "Malformed")
@APIResponse(responseCode = "422", ref = "Invalid")
@APIResponse(responseCode = "401", ref = "Unauthenticated")
class ReservationResource {
    private final Limiter limiter;
    private final CheckAnswers answers;
    private final CheckJsonReader bodies;

    ReservationResource(Limiter limiter, CheckAnswers answers, ApiConfig config) {
        this.limiter = limiter;
        this.answers = answers;
        this.bodies = new CheckJsonReader(config.checkBodyMax().asLongValue());
    }

    @POST
    @Operation(summary = "Charges like a check; what is not committed in time is given back")
    @RequestBody(ref = "Reservation")
    @APIResponse(responseCode = "201", ref = "Reserved")
    @APIResponse(responseCode = "403", ref = "DenyListed")
    @APIResponse(responseCode = "429", ref = "LimitExceeded")
    @APIResponse(responseCode = "503", ref = "Undecided")
    public CompletionStage<HttpAnswer> reserve(BodyBytes body) {
        CheckCall call = bodies.check(body.bytes(), true);
        return limiter.reserve(call.check(), call.ttl()).thenApply(answers::reservation);
    }

    @POST
    @Path("/{id}/commit")
    @Operation(summary = "Keeps a cost of a reservation and gives the rest back")
    @RequestBody(ref = "Commit")
    @APIResponse(responseCode = "200", ref = "Standing")
    @APIResponse(responseCode = "403", ref = "Forbidden")
    @APIResponse(responseCode = "404", ref = "NoReservation")
    public CompletionStage<HttpAnswer> commit(@RestPath String id, BodyBytes body) {
        long cost = bodies.number(body.bytes(), "cost", 0, LimitSpec.COST_MAX);
        return limiter.commit(id, cost).thenApply(ruling -> settled(id, ruling));
    }

    @DELETE
    @Path("/{id}")
    @Operation(summary = "Gives all of a reservation back")
    @APIResponse(responseCode = "200", ref = "Standing")
    @APIResponse(responseCode = "403", ref = "Forbidden")
    @APIResponse(responseCode = "404", ref = "NoReservation")
    public CompletionStage<HttpAnswer> cancel(@RestPath String id) {
        return limiter.cancel(id).thenApply(ruling -> settled(id, ruling));
    }

    private HttpAnswer settled(String id, Optional<CheckResult> ruling) {
        return ruling.map(answers::standing)
                .orElseThrow(() -> ProblemException.of(
                        ErrorCode.NO_RESERVATION,
                        "there is no reservation " + Redaction.value(id)
                                + ": it never was, was settled, or has expired"));
    }
}
