package io.meridian.limiter.api;

import io.meridian.limiter.decide.Limiter;
import io.meridian.limiter.decide.Ruling;
import io.meridian.model.rule.InvalidException;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * What gateways ask about a raw request: the status is the answer. A route and not a resource, because gateways ask with
 * whatever method the request had.
 */
@Singleton
class ForwardAuth {
    private static final Logger LOG = Logger.getLogger(ForwardAuth.class);

    /** After the front door, before everything else. */
    private static final int ORDER = 1;

    private final Limiter limiter;
    private final Answers answers;

    ForwardAuth(Limiter limiter, Answers answers) {
        this.limiter = limiter;
        this.answers = answers;
    }

    void install(@Observes Router router) {
        router.route(FrontDoor.FORWARD_AUTH).order(ORDER).handler(this::answer);
    }

    private void answer(RoutingContext call) {
        try {
            limiter.check(ForwardedRequest.check(call.request()))
                    .whenComplete((ruling, failure) -> answer(call, ruling, failure));
        } catch (InvalidException invalid) {
            refuse(call, Problem.of(ErrorCode.INVALID, invalid.violations()));
        } catch (RuntimeException failure) {
            answer(call, null, failure);
        }
    }

    private void answer(RoutingContext call, @Nullable Ruling ruling, @Nullable Throwable failure) {
        if (ruling == null) {
            LOG.error("a forwarded request could not be decided", failure);
            refuse(call, Problem.of(ErrorCode.INTERNAL, "the limiter failed; its log says why"));
            return;
        }
        Answer answer = answers.check(ruling);
        (answer.status() == 200 ? answer.withoutBody() : answer).writeTo(call.response());
    }

    private static void refuse(RoutingContext call, Problem problem) {
        problem.answer(FrontDoor.FORWARD_AUTH).writeTo(call.response());
    }
}
