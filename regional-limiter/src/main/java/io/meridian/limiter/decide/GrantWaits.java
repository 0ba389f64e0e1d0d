package io.meridian.limiter.decide;

import io.meridian.model.lease.Ask;
import io.meridian.model.lease.Told;
import io.meridian.model.match.Limit;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Checks that wait for the first grant of their limit in its window. A region that was never granted anything is not out of
 * quota, it has not been asked for any yet: refusing would be wrong as long as the centre is there to grant. Bounded, in number
 * and in time; beyond it the check is refused.
 */
@Singleton
class GrantWaits {
    private static final int LIMITS_MAX = 10_000;

    private final Timers timers;
    private final Centre centre;
    private final long patienceMillis;
    private final Map<LimitId, CompletableFuture<Void>> waiting = new ConcurrentHashMap<>();

    GrantWaits(Timers timers, Centre centre, LeaseConfig config) {
        this.timers = timers;
        this.centre = centre;
        this.patienceMillis = config.firstGrantWithin().toMillis();
    }

    /** The limit whose first grant may still come; nothing if another limit refuses anyway. */
    Optional<Limit> firstGrant(List<Ask> asks, List<Told> told) {
        Optional<Limit> lacking = Optional.empty();
        for (int i = 0; i < asks.size(); i++) {
            Limit limit = asks.get(i).limit();
            if (told.get(i).admitted() || limit.policy().enforcement().isShadow()) {
                continue;
            }
            if (!(asks.get(i) instanceof Ask.Take) || !isUntouched(limit, told.get(i))) {
                return Optional.empty();
            }
            lacking = Optional.of(limit);
        }
        return lacking.filter(centre::isHeard);
    }

    private static boolean isUntouched(Limit limit, Told told) {
        Told.Shared shared = told.shared();
        return shared != null
                && limit.policy().coordination().isEscrow()
                && limit.cost() <= limit.terms().capacity()
                && shared.own() == 0
                && shared.elsewhere() == 0
                && shared.held() == 0;
    }

    /** Completes when the region was granted something of the limit, or when that took too long. */
    CompletionStage<Void> await(Limit limit) {
        if (waiting.size() >= LIMITS_MAX) {
            return CompletableFuture.completedFuture(null);
        }
        LimitId id = LimitId.of(limit);
        return waiting.computeIfAbsent(id, absent -> {
            CompletableFuture<Void> granted = new CompletableFuture<>();
            timers.after(patienceMillis, () -> {
                waiting.remove(id, granted);
                granted.complete(null);
            });
            return granted;
        });
    }

    void granted(LimitId id) {
        CompletableFuture<Void> granted = waiting.remove(id);
        if (granted != null) {
            granted.complete(null);
        }
    }
}
