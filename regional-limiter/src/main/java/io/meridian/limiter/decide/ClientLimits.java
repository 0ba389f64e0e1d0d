package io.meridian.limiter.decide;

import io.meridian.model.counter.CounterReply;
import io.meridian.model.decision.Decision.LimitDecision;
import io.meridian.model.match.Check;
import io.meridian.model.match.Limit;
import io.smallrye.faulttolerance.api.TypedGuard;
import jakarta.enterprise.util.TypeLiteral;
import jakarta.inject.Singleton;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * All limits of a client in this region, whatever it asks for: how they stand, or that they are forgotten. They are asked a
 * few at a time, so that no client is in the way of checks for long. An admin has more time than a check: what Redis did not
 * answer within a check's budget is asked again, which counts nothing twice.
 */
@Singleton
public class ClientLimits {
    /** A client has at most so many; beyond it the call fails with an {@link IllegalStateException}. */
    public static final int LIMITS_MAX = 1_000;

    private static final int AT_A_TIME = 100;
    private static final int RETRIES = 2;
    private static final long RETRY_AFTER_MILLIS = 200;

    private final Amendments amendments;
    private final TypedGuard<CompletionStage<List<Standing>>> again;

    ClientLimits(Amendments amendments) {
        this.amendments = amendments;
        this.again = TypedGuard.create(new TypeLiteral<CompletionStage<List<Standing>>>() {})
                .withRetry()
                .maxRetries(RETRIES)
                .delay(RETRY_AFTER_MILLIS, ChronoUnit.MILLIS)
                .jitter(0, ChronoUnit.MILLIS)
                .done()
                .withThreadOffload(false)
                .build();
    }

    /**
     * How one limit stands.
     *
     * @param shared of a limit that regions share, what the region knows of its own use and the others'
     */
    public record Standing(LimitDecision evaluated, Optional<CounterReply.GlobalUsage> shared) {}

    /** How they stand; consumes nothing. Fails with {@link RegionAway} if the region cannot say. */
    public CompletionStage<List<Standing>> status(Check client, boolean endpointKnown) {
        return all(client, endpointKnown, amendments::status);
    }

    /** Forgets what was counted, this instance's leases with it. Fails with {@link RegionAway} if not all could be. */
    public CompletionStage<List<Standing>> reset(Check client, boolean endpointKnown) {
        return all(client, endpointKnown, amendments::reset);
    }

    private CompletionStage<List<Standing>> all(
            Check client, boolean endpointKnown, Function<List<Limit>, CompletionStage<Ruling>> question) {
        List<Limit> limits = amendments.clientLimits(client, endpointKnown);
        if (limits.size() > LIMITS_MAX) {
            return CompletableFuture.failedFuture(new IllegalStateException(
                    "the client must have at most " + LIMITS_MAX + " limits, got " + limits.size()));
        }
        CompletionStage<List<Standing>> answers = CompletableFuture.completedFuture(new ArrayList<>());
        for (int from = 0; from < limits.size(); from += AT_A_TIME) {
            List<Limit> some = limits.subList(from, Math.min(limits.size(), from + AT_A_TIME));
            answers = answers.thenCompose(
                    before -> again.get(() -> question.apply(some).thenApply(ClientLimits::known))
                            .thenApply(more -> joined(before, more)));
        }
        return answers;
    }

    private static List<Standing> joined(List<Standing> before, List<Standing> more) {
        before.addAll(more);
        return before;
    }

    /** What the fallback says is this instance's guess, and not worth telling the world. */
    private static List<Standing> known(Ruling ruling) {
        if (!(ruling instanceof Ruling.Decided decided) || decided.degraded()) {
            throw new RegionAway("the region's counters cannot be asked now");
        }
        List<LimitDecision> evaluated = decided.decision().limits();
        List<Standing> standing = new ArrayList<>(evaluated.size());
        for (int i = 0; i < evaluated.size(); i++) {
            standing.add(new Standing(
                    evaluated.get(i),
                    decided.shared().isEmpty()
                            ? Optional.empty()
                            : decided.shared().get(i)));
        }
        return standing;
    }
}
