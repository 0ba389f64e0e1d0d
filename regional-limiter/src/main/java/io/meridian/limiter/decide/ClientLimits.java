package io.meridian.limiter.decide;

import io.meridian.model.decide.Evaluated;
import io.meridian.model.match.Check;
import io.meridian.model.match.Limit;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * All limits of a client in this region, whatever it asks for: how they stand, or that they are forgotten. They are asked a
 * few at a time, so that no client is in the way of checks for long.
 */
@Singleton
public class ClientLimits {
    /** A client has at most so many; beyond it the call fails with an {@link IllegalStateException}. */
    public static final int LIMITS_MAX = 1_000;

    private static final int AT_A_TIME = 100;

    private final Amendments amendments;

    ClientLimits(Amendments amendments) {
        this.amendments = amendments;
    }

    /** How they stand; consumes nothing. Fails with {@link RegionAway} if the region cannot say. */
    public CompletionStage<List<Evaluated>> status(Check client, boolean endpointKnown) {
        return all(client, endpointKnown, amendments::status);
    }

    /** Forgets what was counted, this instance's leases with it. Fails with {@link RegionAway} if not all could be. */
    public CompletionStage<List<Evaluated>> reset(Check client, boolean endpointKnown) {
        return all(client, endpointKnown, amendments::reset);
    }

    private CompletionStage<List<Evaluated>> all(
            Check client, boolean endpointKnown, Function<List<Limit>, CompletionStage<Ruling>> question) {
        List<Limit> limits = amendments.clientLimits(client, endpointKnown);
        if (limits.size() > LIMITS_MAX) {
            return CompletableFuture.failedFuture(new IllegalStateException(
                    "the client must have at most " + LIMITS_MAX + " limits, got " + limits.size()));
        }
        CompletionStage<List<Evaluated>> answers = CompletableFuture.completedFuture(new ArrayList<>());
        for (int from = 0; from < limits.size(); from += AT_A_TIME) {
            List<Limit> some = limits.subList(from, Math.min(limits.size(), from + AT_A_TIME));
            answers = answers.thenCompose(before -> question.apply(some).thenApply(ruling -> joined(before, ruling)));
        }
        return answers;
    }

    /** What the fallback says is this instance's guess, and not worth telling the world. */
    private static List<Evaluated> joined(List<Evaluated> before, Ruling ruling) {
        if (!(ruling instanceof Ruling.Decided decided) || decided.degraded()) {
            throw new RegionAway("the region's counters cannot be asked now");
        }
        before.addAll(decided.decision().evaluated());
        return before;
    }
}
