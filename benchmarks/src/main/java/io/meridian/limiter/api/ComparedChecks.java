package io.meridian.limiter.api;

import io.meridian.bench.app.Bare;
import io.meridian.bench.app.Peer;
import io.meridian.limiter.LimiterConfig.ApiConfig;
import io.meridian.limiter.caller.CallerResolver;
import io.meridian.limiter.http.BodyBytes;
import io.meridian.limiter.http.CheckAnswers;
import io.meridian.limiter.http.HttpAnswer;
import io.meridian.limiter.operations.OperationTrail;
import io.smallrye.common.annotation.NonBlocking;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.concurrent.CompletionStage;

/**
 * The check as the limiter's own resource reads and answers it, with something else in the limiter's place. It stands in the
 * package of that resource, which has no need to be public for anyone else.
 */
@Path("/api/v1/compared")
@Produces(MediaType.APPLICATION_JSON)
@NonBlocking
class ComparedChecks {
    private final CheckResource one;
    private final CheckResource three;
    private final CheckResource peer;

    ComparedChecks(Peer peer, CallerResolver callers, CheckAnswers answers, ApiConfig config) {
        this.one = new CheckResource(Bare.withLimits(1), callers, answers, OperationTrail.NONE, config);
        this.three = new CheckResource(Bare.withLimits(3), callers, answers, OperationTrail.NONE, config);
        this.peer = new CheckResource(peer, callers, answers, OperationTrail.NONE, config);
    }

    /** Answers with one limit, decided by nobody. */
    @POST
    @Path("/bare")
    public CompletionStage<HttpAnswer> bare(BodyBytes body) {
        return one.check(body);
    }

    /** Answers with three limits, decided by nobody. */
    @POST
    @Path("/bare-three")
    public CompletionStage<HttpAnswer> bareThree(BodyBytes body) {
        return three.check(body);
    }

    /** Decided by the peer. */
    @POST
    @Path("/peer")
    public CompletionStage<HttpAnswer> peer(BodyBytes body) {
        return peer.check(body);
    }
}
