package io.meridian.limiter.api;

import io.meridian.limiter.LimiterConfig.ApiConfig;
import io.meridian.limiter.decide.Limiter;
import io.meridian.limiter.decide.Limiter.ClientLease;
import io.meridian.limiter.decide.Limiter.LeaseReturn;
import io.meridian.limiter.http.BodyBytes;
import io.meridian.limiter.http.CheckAnswers;
import io.meridian.limiter.http.CheckJsonReader;
import io.meridian.limiter.http.CheckJsonReader.LeaseCall;
import io.meridian.limiter.http.ErrorCode;
import io.meridian.limiter.http.HttpAnswer;
import io.meridian.model.match.Limit;
import io.meridian.model.policy.Policy;
import io.meridian.model.validation.FieldError;
import io.meridian.service.http.Problem;
import io.meridian.service.http.ProblemException;
import io.meridian.service.http.Redaction;
import io.smallrye.common.annotation.NonBlocking;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestPath;

/** Resource of client leases: units of all limits of a check, to be spent in the client's memory for a short time. */
@Path("/api/v1/rate-limit/leases")
@Produces(MediaType.APPLICATION_JSON)
@NonBlocking
@Tag(name = "Leases")
@APIResponse(responseCode = "400", ref = "Malformed")
@APIResponse(responseCode = "401", ref = "Unauthenticated")
@APIResponse(responseCode = "503", ref = "Undecided")
class LeaseResource {
    private final Limiter limiter;
    private final CheckAnswers answers;
    private final CheckJsonReader bodies;

    LeaseResource(Limiter limiter, CheckAnswers answers, ApiConfig config) {
        this.limiter = limiter;
        this.answers = answers;
        this.bodies = new CheckJsonReader(config.checkBodyMax().asLongValue());
    }

    @POST
    @Operation(summary = "Leases units of all limits of a check; what is not returned in time counts as spent")
    @RequestBody(ref = "Lease")
    @APIResponse(responseCode = "201", ref = "Leased")
    @APIResponse(responseCode = "403", ref = "DenyListed")
    @APIResponse(responseCode = "422", ref = "NotLeasable")
    @APIResponse(responseCode = "429", ref = "LimitExceeded")
    public CompletionStage<HttpAnswer> lease(BodyBytes body) {
        LeaseCall call = bodies.lease(body.bytes());
        return limiter.lease(call.check(), call.units(), call.ttl()).thenApply(this::leased);
    }

    @POST
    @Path("/{id}/return")
    @Operation(summary = "Gives units of a lease back and ends it")
    @RequestBody(ref = "LeaseReturn")
    @APIResponse(responseCode = "200", ref = "Standing")
    @APIResponse(responseCode = "404", ref = "NoLease")
    @APIResponse(responseCode = "410", ref = "LeaseExpired")
    @APIResponse(responseCode = "422", ref = "Invalid")
    public CompletionStage<HttpAnswer> giveBack(@RestPath String id, BodyBytes body) {
        long units = bodies.number(body.bytes(), "units", 0, LeaseCall.UNITS_MAX);
        return limiter.returnLease(id, units).thenApply(result -> returned(id, units, result));
    }

    private HttpAnswer leased(ClientLease lease) {
        if (lease instanceof ClientLease.Granted granted) {
            return answers.lease(granted);
        }
        if (lease instanceof ClientLease.Refused refused) {
            return answers.check(refused.ruling());
        }
        throw notLeasable(((ClientLease.NotLeasable) lease).limit());
    }

    private HttpAnswer returned(String id, long units, LeaseReturn result) {
        if (result instanceof LeaseReturn.Returned returned) {
            return answers.standing(returned.ruling());
        }
        if (result instanceof LeaseReturn.TooMany many) {
            throw ProblemException.of(
                    ErrorCode.INVALID,
                    "units",
                    Long.toString(units),
                    "must be from 0 to the " + many.leased() + " that were leased");
        }
        String lease = "lease " + Redaction.value(id);
        throw result instanceof LeaseReturn.Expired
                ? ProblemException.of(ErrorCode.LEASE_EXPIRED, lease + " has ended: its units count as spent")
                : ProblemException.of(
                        ErrorCode.NO_LEASE, "there is no " + lease + ": it never was, was returned, or ended long ago");
    }

    private static ProblemException notLeasable(Limit limit) {
        Policy policy = limit.policy();
        String rule = "must not be a policy with algorithm "
                + policy.limitSpec().algorithm().text()
                + ", which counts every request at its exact time: send a check";
        return new ProblemException(
                Problem.of(ErrorCode.NOT_LEASABLE, List.of(new FieldError("policies", policy.id(), rule))));
    }
}
