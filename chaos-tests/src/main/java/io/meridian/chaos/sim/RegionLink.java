package io.meridian.chaos.sim;

import io.meridian.limiter.decide.Floors;
import io.meridian.limiter.decide.InstanceCore;
import io.meridian.limiter.decide.Late;
import io.meridian.limiter.decide.RegionAway;
import io.meridian.limiter.decide.RegionBooks;
import io.meridian.limiter.decide.RegionCounters;
import io.meridian.model.counter.CounterRequest;
import io.meridian.model.match.Shard;
import io.meridian.model.wire.VerdictRecord;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An instance's connection to its region's Redis: fast, and within a time budget, or not at all. */
final class RegionLink implements RegionCounters, RegionBooks {
    private static final long BUDGET_MICROS = 20_000;
    private static final long WAY_MAX_MICROS = 400;
    private static final long FROZEN_LOOK_MICROS = 50_000;

    private final Schedule schedule;
    private final SimRedis redis;
    private final SimClock clock;
    private boolean timeTold;
    private final SplittableRandom random;
    private final Witness witness;
    private @Nullable InstanceCore core;
    private Floors floors = Floors.NONE;
    private String connectedTo = "";
    private boolean dead;
    /** The share of answers that are slow or never come. */
    private double trouble;

    RegionLink(Schedule schedule, SimRedis redis, SimClock clock, SplittableRandom random, Witness witness) {
        this.schedule = schedule;
        this.redis = redis;
        this.clock = clock;
        this.random = random;
        this.witness = witness;
    }

    void of(InstanceCore instance, Floors known) {
        core = instance;
        floors = known;
    }

    void die() {
        dead = true;
        redis.debtsAreAstray();
    }

    boolean isTroubled() {
        return trouble > 0;
    }

    void trouble(double share) {
        trouble = share;
        redis.troubled();
    }

    @Override
    public CompletionStage<Reply> ask(List<CounterRequest> group) {
        CompletableFuture<Reply> result = new CompletableFuture<>();
        if (dead) {
            return result;
        }
        if (!redis.isUp()) {
            connectedTo = "";
            return CompletableFuture.failedFuture(new RegionAway("there is no Redis"));
        }
        long sentNanos = clock.monotonicNanos();
        schedule.after(way(), () -> arrive(group, result, sentNanos));
        schedule.after(BUDGET_MICROS, () -> {
            if (!dead && result.completeExceptionally(new RegionAway("no answer in time"))) {
                witness.inexact();
            }
        });
        return result;
    }

    /** Whether the region's time is known: until the first answer it is this machine's, which may be off. */
    boolean isTimeKnown() {
        return timeTold || clock.offMicros() == 0;
    }

    private long way() {
        return random.nextLong(50, WAY_MAX_MICROS);
    }

    private void arrive(List<CounterRequest> group, CompletableFuture<Reply> result, long sentNanos) {
        if (dead || !redis.isUp()) {
            witness.inexact();
            return;
        }
        if (redis.isFrozen()) {
            schedule.after(FROZEN_LOOK_MICROS, () -> arrive(group, result, sentNanos));
            return;
        }
        OptionalLong life;
        Reply reply;
        try {
            greetIfNew();
            life = core().life().current();
            reply = redis.counters.ask(group, life.orElseThrow(), floors);
        } catch (SimRedis.AnotherLife reborn) {
            greet();
            if (group.stream().anyMatch(CounterRequest.Refund.class::isInstance)) {
                result.completeExceptionally(new RegionAway("another life"));
                return;
            }
            life = core().life().current();
            reply = redis.counters.ask(group, life.orElseThrow(), floors);
        }
        OptionalLong of = life;
        Reply given = reply;
        boolean slow = trouble > 0 && random.nextDouble() < trouble;
        if (slow && random.nextBoolean()) {
            witness.inexact();
            return;
        }
        long back = slow ? random.nextLong(2 * BUDGET_MICROS) : way();
        schedule.after(back, () -> answer(group, result, given, sentNanos, of));
    }

    private void answer(
            List<CounterRequest> group, CompletableFuture<Reply> result, Reply reply, long sentNanos, OptionalLong life) {
        if (dead) {
            return;
        }
        core().clock().learn(reply.nowMicros(), sentNanos);
        timeTold = true;
        if (!result.complete(reply) && life.equals(core().life().current())) {
            Late.returns(List.of(group), List.of(reply)).forEach(this::ask);
        }
    }

    private InstanceCore core() {
        InstanceCore known = core;
        if (known == null) {
            throw new IllegalStateException("nobody asks yet");
        }
        return known;
    }

    /** Connects, if it is not connected: as an instance does at its start and whenever its connection ends. */
    void connect() {
        if (!dead && redis.isUp() && !redis.isFrozen()) {
            greetIfNew();
        }
    }

    private void greetIfNew() {
        if (!connectedTo.equals(redis.runId())) {
            greet();
        }
    }

    private void greet() {
        connectedTo = redis.runId();
        SimRedis.Greeting greeting = redis.greet(core().life().current().orElse(0));
        core().life().learn(greeting.life(), greeting.wiped());
    }

    @Override
    public OptionalLong life() {
        return core().life().current();
    }

    @Override
    public Collection<Shard> toVisit() {
        return List.of();
    }

    @Override
    public CompletionStage<Due> due(Collection<Shard> shards, int max) {
        return call(() -> new Due(redis.books.due(known(), max), redis.clock.wallMicros()));
    }

    @Override
    public CompletionStage<Void> reported(List<DueBook> books) {
        return call(() -> {
            redis.books.reported(known(), books);
            return done();
        });
    }

    @Override
    public CompletionStage<Void> hear(List<VerdictRecord> verdicts) {
        return call(() -> {
            redis.books.hear(known(), verdicts);
            return done();
        });
    }

    @SuppressWarnings("NullAway") // What a Void is.
    private static Void done() {
        return null;
    }

    private long known() {
        return core().life().current().orElseThrow();
    }

    /** What no check waits for is asked and answered at once, or fails; one who does not hear the answer does not know. */
    private <T> CompletionStage<T> call(Supplier<T> script) {
        if (dead || !redis.isUp() || redis.isFrozen()) {
            connectedTo = redis.isUp() ? connectedTo : "";
            return CompletableFuture.failedFuture(new RegionAway("there is no Redis"));
        }
        try {
            greetIfNew();
            T answer = script.get();
            if (trouble > 0 && random.nextDouble() < trouble) {
                redis.answerLost();
                return CompletableFuture.failedFuture(new RegionAway("no answer in time"));
            }
            return CompletableFuture.completedFuture(answer);
        } catch (SimRedis.AnotherLife reborn) {
            greet();
            return CompletableFuture.failedFuture(new RegionAway("another life"));
        }
    }
}
