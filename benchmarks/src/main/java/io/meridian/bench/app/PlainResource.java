package io.meridian.bench.app;

import io.smallrye.common.annotation.NonBlocking;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import org.jboss.resteasy.reactive.RestResponse;

/** Baseline of the framework alone: decodes the same request and encodes the same answer, without a limiter. */
@Path("/bench/plain")
class PlainResource {
    @POST
    @NonBlocking
    public RestResponse<CheckAnswer> answer(Question question) {
        return CheckAnswer.of(
                true,
                "api_key=" + question.attributes().get("api_key"),
                ComparedPolicy.LIMIT,
                ComparedPolicy.LIMIT - 1);
    }
}
