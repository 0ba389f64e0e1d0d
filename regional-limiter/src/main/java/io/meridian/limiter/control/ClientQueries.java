package io.meridian.limiter.control;

import io.meridian.limiter.control.InstanceReporter.InstanceIdentity;
import io.meridian.limiter.decide.CheckResult.LimitResult;
import io.meridian.limiter.operations.ClientLimits;
import io.meridian.model.algorithm.Outcome.Standing;
import io.meridian.model.counter.CounterReply;
import io.meridian.model.decision.Decision.LimitDecision;
import io.meridian.model.time.TimeSource;
import io.meridian.model.wire.RegionQuery;
import io.meridian.model.wire.RegionQueryReply;
import io.meridian.model.wire.WireException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Answers to the queries of config-service about clients and checks, so many at a time. Nobody waits: an answer is handed on when the region
 * has given it.
 */
final class ClientQueries {
    private static final Logger LOG = Logger.getLogger(ClientQueries.class);

    private final InstanceIdentity self;
    private final ClientLimits limits;
    private final TimeSource time;
    private final Semaphore atWork;
    private final Consumer<RegionQueryReply> answers;

    ClientQueries(
            InstanceIdentity self,
            ClientLimits limits,
            TimeSource time,
            int questionsMax,
            Consumer<RegionQueryReply> answers) {
        this.self = self;
        this.limits = limits;
        this.time = time;
        this.atWork = new Semaphore(questionsMax);
        this.answers = answers;
    }

    /** A question as it stands in the topic; one that cannot be read or has expired is nobody's. */
    void asked(String text) {
        try {
            RegionQuery question = RegionQuery.decode(text);
            if (time.wallMicros() < question.expiresMicros()) {
                answer(question);
            }
        } catch (WireException unreadable) {
            LOG.warnf("a query of config-service is skipped: reason=%s", unreadable.getMessage());
        }
    }

    private void answer(RegionQuery question) {
        if (!atWork.tryAcquire()) {
            answers.accept(failed(question, "too many questions at once"));
            return;
        }
        work(question).whenComplete((standing, failure) -> {
            atWork.release();
            answers.accept(failure == null ? told(question, standing) : failed(question, reason(failure)));
        });
    }

    private CompletionStage<List<LimitResult>> work(RegionQuery question) {
        boolean endpointKnown = !question.endpoint().isEmpty();
        try {
            return switch (question.kind()) {
                case STATUS -> limits.status(question.check(), endpointKnown);
                case RESET -> limits.reset(question.check(), endpointKnown);
                case CHECK -> limits.statusOfCheck(question.check());
            };
        } catch (RuntimeException failed) {
            return CompletableFuture.failedFuture(failed);
        }
    }

    private RegionQueryReply told(RegionQuery question, List<LimitResult> standing) {
        return new RegionQueryReply(
                question.id(),
                self.region(),
                self.instance(),
                standing.stream().map(this::standing).toList(),
                null);
    }

    /** Of a global limit a region has used what it used itself. */
    private RegionQueryReply.Standing standing(LimitResult known) {
        LimitDecision each = known.evaluated();
        Standing now = each.standing();
        CounterReply.GlobalUsage usage = known.globalUsage();
        long used = usage != null ? usage.own() : Math.max(0, now.limit() - now.remaining());
        return new RegionQueryReply.Standing(
                each.limit().policy().id(),
                each.limit().key(),
                each.limit().policy().coordination().scope(),
                now.limit(),
                now.remaining(),
                used,
                now.resetAtMicros(),
                limits.leased(each.limit()),
                usage == null
                        ? null
                        : new RegionQueryReply.Account(
                                usage.taken(), usage.returned(), usage.usedElsewhere(), usage.grantAvailable()));
    }

    private RegionQueryReply failed(RegionQuery question, String reason) {
        return RegionQueryReply.failed(question, self.region(), self.instance(), reason);
    }

    private static String reason(Throwable failure) {
        @Nullable Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return String.valueOf((cause == null ? failure : cause).getMessage());
    }
}
