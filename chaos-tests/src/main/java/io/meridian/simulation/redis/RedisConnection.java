package io.meridian.simulation.redis;

import io.meridian.limiter.decide.LimiterCore;
import io.meridian.limiter.lease.LateReplies;
import io.meridian.limiter.region.Ports.FloorOffers;
import io.meridian.limiter.region.RegionAccounts;
import io.meridian.limiter.region.RegionAccounts.DueAccount;
import io.meridian.limiter.region.RegionCounters;
import io.meridian.limiter.region.RegionCounters.Reply;
import io.meridian.limiter.region.RegionUnavailable;
import io.meridian.model.counter.CounterRequest;
import io.meridian.model.counter.RegionModel;
import io.meridian.model.match.Shard;
import io.meridian.model.wire.VerdictRecord;
import io.meridian.simulation.invariants.InvariantChecker;
import io.meridian.simulation.world.SimClock;
import io.meridian.simulation.world.SimSchedule;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Connection of a limiter to its region's Redis, with a latency and a time budget. */
public final class RedisConnection implements RegionCounters, RegionAccounts {
    private static final long BUDGET_MICROS = 20_000;
    private static final long WAY_MAX_MICROS = 400;
    private static final long FROZEN_LOOK_MICROS = 50_000;

    private final SimSchedule schedule;
    private final SimRedis redis;
    private final SimClock clock;
    private boolean timeTold;
    private final SplittableRandom random;
    private final InvariantChecker invariants;
    private @Nullable LimiterCore core;
    private FloorOffers floors = FloorOffers.NONE;
    private String connectedTo = "";
    private boolean dead;
    /** Share of answers that are slow or lost. */
    private double disturbedShare;

    public RedisConnection(
            SimSchedule schedule,
            SimRedis redis,
            SimClock clock,
            SplittableRandom random,
            InvariantChecker invariants) {
        this.schedule = schedule;
        this.redis = redis;
        this.clock = clock;
        this.random = random;
        this.invariants = invariants;
    }

    public void of(LimiterCore instance, FloorOffers known) {
        core = instance;
        floors = known;
    }

    public void die() {
        dead = true;
        redis.markPendingChargesUncertain();
    }

    public boolean isDisturbed() {
        return disturbedShare > 0;
    }

    public void disturb(double share) {
        disturbedShare = share;
        redis.markDisturbed();
    }

    @Override
    public CompletionStage<Reply> ask(List<CounterRequest> group) {
        CompletableFuture<Reply> result = new CompletableFuture<>();
        if (dead) {
            return result;
        }
        if (!redis.isUp()) {
            connectedTo = "";
            return CompletableFuture.failedFuture(new RegionUnavailable("there is no Redis"));
        }
        long sentNanos = clock.monotonicNanos();
        schedule.after(way(), () -> arrive(group, result, sentNanos));
        schedule.after(BUDGET_MICROS, () -> {
            if (!dead && result.completeExceptionally(new RegionUnavailable("no answer in time"))) {
                invariants.markInexact();
            }
        });
        return result;
    }

    /** Whether the region's time is known; until the first answer it is this machine's, which may be off. */
    public boolean isTimeKnown() {
        return timeTold || clock.offMicros() == 0;
    }

    private long way() {
        return random.nextLong(50, WAY_MAX_MICROS);
    }

    private void arrive(List<CounterRequest> group, CompletableFuture<Reply> result, long sentNanos) {
        if (dead || !redis.isUp()) {
            invariants.markInexact();
            return;
        }
        if (redis.isFrozen()) {
            schedule.after(FROZEN_LOOK_MICROS, () -> arrive(group, result, sentNanos));
            return;
        }
        OptionalLong life;
        Reply reply;
        try {
            identifyIfNew();
            life = core().incarnation().current();
            reply = redis.scripts.count(group, life.orElseThrow(), floors);
        } catch (RegionModel.StaleIncarnationException reborn) {
            identify();
            if (group.stream().anyMatch(CounterRequest.Refund.class::isInstance)) {
                result.completeExceptionally(new RegionUnavailable("another life"));
                return;
            }
            life = core().incarnation().current();
            reply = redis.scripts.count(group, life.orElseThrow(), floors);
        }
        OptionalLong of = life;
        Reply given = reply;
        boolean slow = disturbedShare > 0 && random.nextDouble() < disturbedShare;
        if (slow && random.nextBoolean()) {
            invariants.markInexact();
            return;
        }
        long back = slow ? random.nextLong(2 * BUDGET_MICROS) : way();
        schedule.after(back, () -> answer(group, result, given, sentNanos, of));
    }

    private void answer(
            List<CounterRequest> group,
            CompletableFuture<Reply> result,
            Reply reply,
            long sentNanos,
            OptionalLong life) {
        if (dead) {
            return;
        }
        core().clock().learn(reply.nowMicros(), sentNanos);
        timeTold = true;
        if (!result.complete(reply) && life.equals(core().incarnation().current())) {
            LateReplies.returns(List.of(group), List.of(reply)).forEach(this::ask);
        }
    }

    private LimiterCore core() {
        LimiterCore known = core;
        if (known == null) {
            throw new IllegalStateException("the limiter is not wired yet");
        }
        return known;
    }

    /** Connects if it is not connected, as a limiter does at its start and after a lost connection. */
    public void connect() {
        if (!dead && redis.isUp() && !redis.isFrozen()) {
            identifyIfNew();
        }
    }

    private void identifyIfNew() {
        if (!connectedTo.equals(redis.runId())) {
            identify();
        }
    }

    private void identify() {
        connectedTo = redis.runId();
        RegionModel.Incarnation identified =
                redis.identify(core().incarnation().current().orElse(0));
        core().incarnation().learn(identified.number(), identified.wiped());
    }

    @Override
    public OptionalLong incarnation() {
        return core().incarnation().current();
    }

    @Override
    public Collection<Shard> toVisit() {
        return List.of();
    }

    @Override
    public CompletionStage<DueAccounts> due(Collection<Shard> shards, int max) {
        return call(() -> new DueAccounts(redis.scripts.due(known(), max), redis.clock.wallMicros()));
    }

    @Override
    public CompletionStage<Void> reported(List<DueAccount> books) {
        return call(() -> {
            redis.scripts.reported(known(), books);
            return done();
        });
    }

    @Override
    public CompletionStage<Void> apply(List<VerdictRecord> verdicts) {
        return call(() -> {
            redis.scripts.apply(known(), verdicts);
            return done();
        });
    }

    @SuppressWarnings("NullAway") // A Void is null.
    private static Void done() {
        return null;
    }

    private long known() {
        return core().incarnation().current().orElseThrow();
    }

    /** Calls that no check waits for are answered at once or fail; after a lost answer the effect is unknown to the caller. */
    private <T> CompletionStage<T> call(Supplier<T> script) {
        if (dead || !redis.isUp() || redis.isFrozen()) {
            connectedTo = redis.isUp() ? connectedTo : "";
            return CompletableFuture.failedFuture(new RegionUnavailable("there is no Redis"));
        }
        try {
            identifyIfNew();
            T answer = script.get();
            if (disturbedShare > 0 && random.nextDouble() < disturbedShare) {
                redis.answerLost();
                return CompletableFuture.failedFuture(new RegionUnavailable("no answer in time"));
            }
            return CompletableFuture.completedFuture(answer);
        } catch (RegionModel.StaleIncarnationException reborn) {
            identify();
            return CompletableFuture.failedFuture(new RegionUnavailable("another life"));
        }
    }
}
