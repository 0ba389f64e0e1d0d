package io.meridian.bench.app;

import io.meridian.limiter.LimiterConfig.ApiConfig;
import io.meridian.limiter.decide.Limiter;
import io.meridian.limiter.http.BodyBytes;
import io.meridian.limiter.http.CheckAnswers;
import io.meridian.limiter.http.CheckJsonReader;
import io.meridian.limiter.http.HttpAnswer;
import io.smallrye.common.annotation.NonBlocking;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.concurrent.CompletionStage;

/**
 * Checks as a quarkus-rest resource reads and answers them, by the limiter's own reader and writer, with something else in the limiter's
 * place. It also keeps the metrics of quarkus-rest: the bare endpoint is what a check would cost there without a decision.
 */
@Path("/api/v1/compared")
@Produces(MediaType.APPLICATION_JSON)
@NonBlocking
class ComparedChecks {
    private final Limiter one = Bare.withLimits(1);
    private final Limiter three = Bare.withLimits(3);
    private final Peer peer;
    private final CheckAnswers answers;
    private final CheckJsonReader bodies;

    ComparedChecks(Peer peer, CheckAnswers answers, ApiConfig config) {
        this.peer = peer;
        this.answers = answers;
        this.bodies = new CheckJsonReader(config.checkBodyMax().asLongValue());
    }

    /** Answers with one limit, decided by nobody. */
    @POST
    @Path("/bare")
    public CompletionStage<HttpAnswer> bare(BodyBytes body) {
        return answer(one, body);
    }

    /** Answers with three limits, decided by nobody. */
    @POST
    @Path("/bare-three")
    public CompletionStage<HttpAnswer> bareThree(BodyBytes body) {
        return answer(three, body);
    }

    /** Decided by the peer. */
    @POST
    @Path("/peer")
    public CompletionStage<HttpAnswer> peer(BodyBytes body) {
        return answer(peer, body);
    }

    private CompletionStage<HttpAnswer> answer(Limiter limiter, BodyBytes body) {
        return bodies.check(body.bytes(), false).decidedBy(limiter).thenApply(answers::check);
    }
}
