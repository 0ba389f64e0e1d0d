package io.meridian.limiter.decide;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.meridian.limiter.LimiterConfig.LeaseConfig;
import io.meridian.limiter.LimiterConfig.RequestIdConfig;
import io.meridian.model.match.Check;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Decides a request id once and answers it again to whoever repeats the same check, at this instance or another: who is
 * first claims the id in the region's store, decides, and leaves the answer there. Who claimed and died has answered nobody: the next
 * decides anew, and what the first may have taken counts as spent. So nobody is admitted who was not charged.
 *
 * <p>The claim and the answer begin with the digest of the check. Another check under the same id fails with
 * {@link RequestIdReused}: otherwise one admitted check would answer any number of dearer ones.
 */
@Singleton
class RequestIds {
    /** How often a check waits for a local one of the same id that may come to nothing. */
    private static final int TRIES_MAX = 3;

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

    private final Cache<String, Remembered> recent;

    private record Remembered(String question, CompletableFuture<Ruling> answer) {}

    /** One check under one id, on its way. */
    private record Call(Check check, String requestId, String key, String question) {}

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
        Call call = new Call(check, requestId, Digest.key("q:", requestId), Digest.of(check));
        return check(call, TRIES_MAX);
    }

    private CompletionStage<Ruling> check(Call call, int tries) {
        Remembered mine = new Remembered(call.question, new CompletableFuture<>());
        Remembered first = recent.asMap().putIfAbsent(call.key, mine);
        if (first == null) {
            return decided(call, mine);
        }
        if (first.question.equals(call.question)) {
            return first.answer;
        }
        if (tries == 0) {
            return reused(call);
        }
        // The other one may find that the id is not its own: it is then forgotten, and this one may have it.
        return first.answer
                .handle((ruling, failure) -> failure == null && !(ruling instanceof Ruling.Undecided))
                .thenCompose(answered -> answered ? reused(call) : check(call, tries - 1));
    }

    private CompletionStage<Ruling> decided(Call call, Remembered mine) {
        claim(call, looksMax()).whenComplete((ruling, failure) -> {
            if (failure == null) {
                mine.answer.complete(ruling);
            } else {
                recent.asMap().remove(call.key, mine);
                mine.answer.completeExceptionally(failure);
            }
        });
        return mine.answer;
    }

    private static CompletionStage<Ruling> reused(Call call) {
        return CompletableFuture.failedFuture(new RequestIdReused(call.requestId));
    }

    /** As long as a claim lasts, twice: another that repeats it may claim it next, and die too. */
    private int looksMax() {
        return Math.toIntExact(2 * claim.toMillis() / LOOK_EVERY_MILLIS);
    }

    private CompletionStage<Ruling> decide(Call call) {
        return decider.check(call.check).thenApply(ruling -> {
            if (ruling instanceof Ruling.Undecided) {
                // Not an answer to hold on to: the next try may get one.
                recent.invalidate(call.key);
                store.take(call.key);
            } else {
                store.put(call.key, call.question + records.write(ruling), config.memory());
            }
            return ruling;
        });
    }

    /** Decides if nobody else does; a store that is away keeps nobody from it. */
    private CompletionStage<Ruling> claim(Call call, int looks) {
        return store.putIfAbsent(call.key, call.question, claim)
                .exceptionally(away -> Optional.empty())
                .thenCompose(there -> there.isEmpty() ? decide(call) : repeat(call, there.get(), looks));
    }

    /** Another instance has it: waits for its answer, or until it has given up. One who cannot look does not know, and waits on. */
    private CompletionStage<Ruling> repeat(Call call, String there, int looks) {
        if (!there.startsWith(call.question)) {
            return reused(call);
        }
        if (there.length() > Digest.HEX_LENGTH) {
            String answer = there.substring(Digest.HEX_LENGTH);
            Ruling answered = records.read(answer, amendments.limits(call.check));
            return CompletableFuture.completedFuture(decider.offering(answered, call.check));
        }
        if (looks == 0) {
            return decide(call);
        }
        CompletableFuture<Void> later = new CompletableFuture<>();
        timers.after(LOOK_EVERY_MILLIS, () -> later.complete(null));
        return later.thenCompose(due -> store.get(call.key).exceptionally(away -> Optional.of(call.question)))
                .thenCompose(now -> now.isEmpty() ? claim(call, looks - 1) : repeat(call, now.get(), looks - 1));
    }
}
