package io.meridian.simulation.redis;

import io.meridian.limiter.decide.LimiterCore;
import io.meridian.limiter.lane.CounterLane;
import io.meridian.limiter.lane.LaneTransport;
import io.meridian.limiter.metrics.LimiterMetrics;
import io.meridian.limiter.region.Ports.FloorOffers;
import io.meridian.limiter.region.RegionAccounts;
import io.meridian.limiter.region.RegionAccounts.DueAccount;
import io.meridian.limiter.region.RegionCounters;
import io.meridian.limiter.region.RegionUnavailable;
import io.meridian.model.counter.CounterRequest;
import io.meridian.model.counter.RegionModel.Incarnation;
import io.meridian.model.counter.RegionModel.StaleIncarnationException;
import io.meridian.model.match.Shard;
import io.meridian.model.wire.VerdictRecord;
import io.meridian.simulation.Mutation;
import io.meridian.simulation.invariants.InvariantChecker;
import io.meridian.simulation.nodes.SimSettings;
import io.meridian.simulation.world.SimClock;
import io.meridian.simulation.world.SimSchedule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Connection of a limiter to its region's Redis: production's {@link CounterLane} over a simulated transport, with a latency, lost and late
 * answers, and a server that goes, freezes, or has other data. Calls for accounts, which no check waits for, are answered at once or fail.
 */
public final class RedisConnection implements RegionCounters, RegionAccounts {
    private static final long WAY_MAX_MICROS = 400;
    private static final long FROZEN_LOOK_MICROS = 50_000;
    private static final long BUDGET_MICROS = SimSettings.micros(SimSettings.REDIS.budget());

    private final SimSchedule schedule;
    private final SimRedis redis;
    private final SimClock clock;
    private final SplittableRandom random;
    private final Mutation mutation;
    private final InvariantChecker invariants;
    private @Nullable LimiterCore core;
    private @Nullable CounterLane lane;
    private FloorOffers floors = FloorOffers.NONE;
    private String connectedTo = "";
    private @Nullable CompletableFuture<Void> connecting;
    private boolean timeTold;
    private boolean dead;
    /** Share of answers that are slow or lost. */
    private double disturbedShare;

    public RedisConnection(
            SimSchedule schedule,
            SimRedis redis,
            SimClock clock,
            SplittableRandom random,
            Mutation mutation,
            InvariantChecker invariants) {
        this.schedule = schedule;
        this.redis = redis;
        this.clock = clock;
        this.random = random;
        this.mutation = mutation;
        this.invariants = invariants;
    }

    public void of(LimiterCore instance, FloorOffers known, LimiterMetrics metrics) {
        core = instance;
        floors = known;
        lane = new CounterLane(
                new Transport(),
                Supplier::get,
                instance.incarnation(),
                SimSettings.REDIS,
                instance.clock(),
                clock,
                metrics.redis());
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
        CounterLane asked = lane;
        if (asked == null) {
            throw new IllegalStateException("the limiter is not wired yet");
        }
        if (dead) {
            return new CompletableFuture<>();
        }
        return asked.ask(group).whenComplete((reply, away) -> {
            if (away != null && redis.isUp()) {
                invariants.markInexact();
            }
        });
    }

    /** Whether the region's time is known; until the first answer it is this machine's, which may be off. */
    public boolean isTimeKnown() {
        return timeTold || clock.offMicros() == 0;
    }

    private long way() {
        return random.nextLong(50, WAY_MAX_MICROS);
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
        learn(redis.identify(known().orElse(0)));
    }

    private void learn(Incarnation identified) {
        core().incarnation().learn(identified.number(), identified.wiped());
    }

    private OptionalLong known() {
        return core().incarnation().current();
    }

    /** The event loop and its connection, as the lane of counters uses them. */
    private final class Transport implements LaneTransport {
        @Override
        public void atEndOfTurn(Runnable task) {
            schedule.after(0, alive(task));
        }

        @Override
        public Runnable after(Duration time, Runnable task) {
            if (mutation == Mutation.NO_BUDGET) {
                return () -> {};
            }
            boolean[] revoked = new boolean[1];
            schedule.after(SimSettings.micros(time), alive(() -> {
                if (!revoked[0]) {
                    task.run();
                }
            }));
            return () -> revoked[0] = true;
        }

        @Override
        public Duration patience() {
            return SimSettings.REDIS.budget();
        }

        @Override
        public void known() {}

        @Override
        public void failed(Throwable failure) {}

        @Override
        public int node(List<CounterRequest> group) {
            return 0;
        }

        @Override
        public CompletionStage<Counted> count(List<List<CounterRequest>> groups) {
            CompletableFuture<Counted> counted = new CompletableFuture<>();
            connected().whenComplete((connected, away) -> {
                if (away != null) {
                    counted.completeExceptionally(away);
                } else {
                    long named = RedisConnection.this.known().orElseThrow();
                    String run = connectedTo;
                    schedule.after(way(), () -> arrive(groups, named, run, counted));
                }
            });
            return counted;
        }

        /** Connects first if the connection is not to this run of the server, which names the incarnation of its data then. */
        private CompletionStage<Void> connected() {
            if (redis.isUp() && connectedTo.equals(redis.runId())) {
                return CompletableFuture.completedFuture(done());
            }
            return identifyAgain();
        }

        @Override
        public CompletionStage<Void> identifyAgain() {
            CompletableFuture<Void> running = connecting;
            if (running != null) {
                return running;
            }
            if (!redis.isUp()) {
                connectedTo = "";
                return CompletableFuture.failedFuture(new RegionUnavailable("there is no Redis"));
            }
            CompletableFuture<Void> identified = new CompletableFuture<>();
            connecting = identified;
            schedule.after(way(), () -> identify(identified));
            return identified;
        }

        private void identify(CompletableFuture<Void> identified) {
            if (redis.isUp() && redis.isFrozen()) {
                schedule.after(FROZEN_LOOK_MICROS, () -> identify(identified));
                return;
            }
            String run = redis.runId();
            Incarnation incarnation = redis.isUp() && !dead
                    ? redis.identify(RedisConnection.this.known().orElse(0))
                    : null;
            schedule.after(way(), alive(() -> {
                connecting = null;
                if (incarnation == null) {
                    identified.completeExceptionally(new RegionUnavailable("there is no Redis"));
                    return;
                }
                connectedTo = run;
                learn(incarnation);
                identified.complete(done());
            }));
        }

        private void arrive(
                List<List<CounterRequest>> groups, long named, String run, CompletableFuture<Counted> counted) {
            if (dead || !redis.isUp()) {
                invariants.markInexact();
                return;
            }
            if (redis.isFrozen()) {
                schedule.after(FROZEN_LOOK_MICROS, () -> arrive(groups, named, run, counted));
                return;
            }
            if (!run.equals(redis.runId())) {
                // Another run of the server, or another server, ends the connections to the one before.
                schedule.after(
                        way(),
                        alive(() -> counted.completeExceptionally(new RegionUnavailable("the connection is gone"))));
                return;
            }
            List<Reply> replies = new ArrayList<>();
            try {
                for (List<CounterRequest> group : groups) {
                    replies.add(redis.scripts.count(group, named, floors));
                }
            } catch (StaleIncarnationException stale) {
                schedule.after(
                        way(),
                        alive(() -> counted.completeExceptionally(
                                new StaleIncarnation(String.valueOf(stale.getMessage())))));
                return;
            }
            if (mutation == Mutation.SHUFFLED_REPLIES) {
                Collections.rotate(replies, 1);
            }
            boolean slow = disturbedShare > 0 && random.nextDouble() < disturbedShare;
            if (slow && random.nextBoolean()) {
                invariants.markInexact();
                return;
            }
            long back = slow ? random.nextLong(2 * BUDGET_MICROS) : way();
            schedule.after(back, alive(() -> {
                timeTold = true;
                counted.complete(new Counted(replies, OptionalLong.of(named)));
            }));
        }

        private Runnable alive(Runnable task) {
            return () -> {
                if (!dead) {
                    task.run();
                }
            };
        }
    }

    @Override
    public OptionalLong incarnation() {
        return known();
    }

    @Override
    public Collection<Shard> toVisit() {
        return List.of();
    }

    @Override
    public CompletionStage<DueAccounts> due(Collection<Shard> shards, int max) {
        return call(() -> new DueAccounts(redis.scripts.due(known().orElseThrow(), max), redis.clock.wallMicros()));
    }

    @Override
    public CompletionStage<Void> reported(List<DueAccount> books) {
        return call(() -> {
            redis.scripts.reported(known().orElseThrow(), books);
            return done();
        });
    }

    @Override
    public CompletionStage<Void> apply(List<VerdictRecord> verdicts) {
        return call(() -> {
            redis.scripts.apply(known().orElseThrow(), verdicts);
            return done();
        });
    }

    @SuppressWarnings("NullAway") // A Void is null.
    private static Void done() {
        return null;
    }

    /** After a lost answer the effect is unknown to the caller. */
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
        } catch (StaleIncarnationException stale) {
            identify();
            return CompletableFuture.failedFuture(new RegionUnavailable("another incarnation"));
        }
    }
}
