package io.meridian.limiter.api;

import io.meridian.limiter.caller.Caller;
import io.meridian.limiter.caller.Callers;
import io.meridian.limiter.decide.Limiter;
import io.meridian.limiter.decide.Ruling;
import io.meridian.model.validation.ValidationException;
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
    private final Callers callers;
    private final Answers answers;

    ForwardAuth(Limiter limiter, Callers callers, Answers answers) {
        this.limiter = limiter;
        this.callers = callers;
        this.answers = answers;
    }

    void install(@Observes Router router) {
        router.route(FrontDoor.FORWARD_AUTH).order(ORDER).handler(this::answer);
    }

    private void answer(RoutingContext call) {
        try {
            Caller caller = callers.identify(call.request(), CallerToken.bearer(call.request()));
            limiter.check(ForwardedRequest.check(call.request(), caller))
                    .whenComplete((ruling, failure) -> answer(call, caller, ruling, failure));
        } catch (ValidationException invalid) {
            refuse(call, Problem.of(ErrorCode.INVALID, invalid.errors()));
        } catch (RuntimeException failure) {
            fail(call, failure);
        }
    }

    private void answer(RoutingContext call, Caller caller, @Nullable Ruling ruling, @Nullable Throwable failure) {
        if (ruling == null) {
            fail(call, failure);
        } else {
            answers.forwarded(ruling, caller).writeTo(call.response());
        }
    }

    private static void fail(RoutingContext call, @Nullable Throwable failure) {
        LOG.error("a forwarded request could not be decided", failure);
        refuse(call, Problem.of(ErrorCode.INTERNAL, "the limiter failed; its log says why"));
    }

    private static void refuse(RoutingContext call, Problem problem) {
        problem.answer(FrontDoor.FORWARD_AUTH).writeTo(call.response());
    }
}
