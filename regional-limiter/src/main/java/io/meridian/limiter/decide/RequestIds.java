package io.meridian.limiter.decide;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.meridian.model.match.Check;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Decides a request id of a client once and answers it again to whoever repeats it, at this instance or another: who is
 * first claims the id in the region's store, decides, and leaves the answer there. Who claimed and died has answered nobody: the next
 * decides anew, and what the first may have taken counts as spent. So nobody is admitted who was not charged.
 */
@Singleton
class RequestIds {
    private static final String CLAIMED = "";
    /** The most that a decision takes but for the first grant of a limit, which has a time of its own, and as much again. */
    private static final Duration DECISION = Duration.ofMillis(500);

    private static final long LOOK_EVERY_MILLIS = 10;

    private final Decider decider;
    private final Amendments amendments;
    private final RegionStore store;
    private final RulingRecords records;
    private final Timers timers;
    private final RequestIdConfig config;
    /** A claimer that died is forgotten after this. */
    private final Duration claim;

    private final Cache<String, CompletableFuture<Ruling>> recent;

    RequestIds(
            Decider decider,
            Amendments amendments,
            RegionStore store,
            RulingRecords records,
            Timers timers,
            RequestIdConfig config,
            LeaseConfig leases) {
        this.decider = decider;
        this.amendments = amendments;
        this.store = store;
        this.records = records;
        this.timers = timers;
        this.config = config;
        this.claim = leases.grantWait().plus(DECISION);
        this.recent = Caffeine.newBuilder()
                .maximumSize(config.entries())
                .expireAfterWrite(config.memory())
                .build();
    }

    CompletionStage<Ruling> check(Check check, String requestId) {
        String key = Digest.key("q:", new TreeMap<>(check.attributes()) + "\n" + requestId);
        CompletableFuture<Ruling> answer = new CompletableFuture<>();
        CompletableFuture<Ruling> first = recent.asMap().putIfAbsent(key, answer);
        if (first != null) {
            return first;
        }
        claim(check, key, looksMax()).whenComplete((ruling, failure) -> {
            if (failure == null) {
                answer.complete(ruling);
            } else {
                recent.invalidate(key);
                answer.completeExceptionally(failure);
            }
        });
        return answer;
    }

    /** As long as a claim lasts, twice: another that repeats it may claim it next, and die too. */
    private int looksMax() {
        return Math.toIntExact(2 * claim.toMillis() / LOOK_EVERY_MILLIS);
    }

    private CompletionStage<Ruling> decide(Check check, String key) {
        return decider.check(check).thenApply(ruling -> {
            if (ruling instanceof Ruling.Undecided) {
                // Not an answer to hold on to: the next try may get one.
                recent.invalidate(key);
                store.take(key);
            } else {
                store.put(key, records.write(ruling), config.memory());
            }
            return ruling;
        });
    }

    /** Decides if nobody else does; a store that is away keeps nobody from it. */
    private CompletionStage<Ruling> claim(Check check, String key, int looks) {
        return store.putIfAbsent(key, CLAIMED, claim)
                .exceptionally(away -> Optional.empty())
                .thenCompose(there -> there.isEmpty() ? decide(check, key) : repeat(check, key, there.get(), looks));
    }

    /** Another instance has it: waits for its answer, or until it has given up. One who cannot look does not know, and waits on. */
    private CompletionStage<Ruling> repeat(Check check, String key, String there, int looks) {
        if (!there.equals(CLAIMED)) {
            return CompletableFuture.completedFuture(records.read(there, amendments.limits(check)));
        }
        if (looks == 0) {
            return decide(check, key);
        }
        CompletableFuture<Void> later = new CompletableFuture<>();
        timers.after(LOOK_EVERY_MILLIS, () -> later.complete(null));
        return later.thenCompose(due -> store.get(key).exceptionally(away -> Optional.of(CLAIMED)))
                .thenCompose(
                        now -> now.isEmpty() ? claim(check, key, looks - 1) : repeat(check, key, now.get(), looks - 1));
    }
}
