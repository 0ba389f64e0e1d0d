package io.meridian.limiter.decide;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.meridian.model.match.Check;
import io.vertx.core.Vertx;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Decides a request id of a client once and answers it again to whoever repeats it, at this instance or another: who is
 * first claims the id in the region's store, decides, and leaves the answer there.
 */
@Singleton
class RequestIds {
    private static final String CLAIMED = "";
    /** A claimer that died is forgotten after this. */
    private static final Duration CLAIM = Duration.ofSeconds(2);

    private static final int LOOKS = 5;
    private static final long LOOK_EVERY_MILLIS = 5;

    private final Decider decider;
    private final Amendments amendments;
    private final RegionStore store;
    private final RulingRecords records;
    private final Vertx vertx;
    private final RequestIdConfig config;
    private final Cache<String, CompletableFuture<Ruling>> recent;

    RequestIds(
            Decider decider,
            Amendments amendments,
            RegionStore store,
            RulingRecords records,
            Vertx vertx,
            RequestIdConfig config) {
        this.decider = decider;
        this.amendments = amendments;
        this.store = store;
        this.records = records;
        this.vertx = vertx;
        this.config = config;
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
        store.putIfAbsent(key, CLAIMED, CLAIM)
                .handle((there, away) -> away == null ? there : Optional.<String>empty())
                .thenCompose(there -> there.isEmpty() ? decide(check, key) : repeat(check, key, there, LOOKS))
                .whenComplete((ruling, failure) -> {
                    if (failure == null) {
                        answer.complete(ruling);
                    } else {
                        recent.invalidate(key);
                        answer.completeExceptionally(failure);
                    }
                });
        return answer;
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

    /** Another instance has it: waits a little for its answer, else tells how the limits stand and charges nothing. */
    private CompletionStage<Ruling> repeat(Check check, String key, Optional<String> there, int looks) {
        if (there.isPresent() && !there.get().equals(CLAIMED)) {
            return CompletableFuture.completedFuture(records.read(there.get(), amendments.limits(check)));
        }
        if (looks == 0) {
            return amendments.status(check);
        }
        CompletableFuture<Ruling> later = new CompletableFuture<>();
        vertx.setTimer(LOOK_EVERY_MILLIS, ignored -> store.get(key)
                .handle((now, away) -> away == null ? now : Optional.<String>empty())
                .thenCompose(now -> repeat(check, key, now, looks - 1))
                .whenComplete((ruling, failure) -> {
                    if (failure == null) {
                        later.complete(ruling);
                    } else {
                        later.completeExceptionally(failure);
                    }
                }));
        return later;
    }
}
