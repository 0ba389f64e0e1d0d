package io.meridian.simulation.nodes;

import io.meridian.limiter.LimiterConfig.LeaseConfig;
import io.meridian.limiter.decide.CheckResult;
import io.meridian.limiter.decide.LimiterCore;
import io.meridian.limiter.fallback.FallbackLimiter;
import io.meridian.limiter.global.GlobalUsageCore;
import io.meridian.limiter.global.LeaderTracker;
import io.meridian.limiter.global.RegionFloors;
import io.meridian.limiter.lease.IncarnationTracker.IncarnationChanged;
import io.meridian.limiter.metrics.LimiterMetrics;
import io.meridian.limiter.region.RegionUnavailable;
import io.meridian.limiter.rules.RegionRules;
import io.meridian.limiter.rules.RulesInEffect;
import io.meridian.limiter.rules.RulesInEffect.RulesStatus;
import io.meridian.model.counter.CounterRequest;
import io.meridian.model.counter.GlobalCounter.FloorOffer;
import io.meridian.model.match.Check;
import io.meridian.model.match.Limit;
import io.meridian.model.match.PolicyIndex;
import io.meridian.model.policy.Policy;
import io.meridian.model.usage.RegionIncarnation;
import io.meridian.model.wire.FloorRight;
import io.meridian.model.wire.VerdictRecord;
import io.meridian.simulation.Mutation;
import io.meridian.simulation.kafka.SimFetch;
import io.meridian.simulation.kafka.SimKafka;
import io.meridian.simulation.kafka.SimKafka.VerdictLog;
import io.meridian.simulation.kafka.SimProducer;
import io.meridian.simulation.redis.RedisConnection;
import io.meridian.simulation.world.SimClock;
import io.meridian.simulation.world.SimLink;
import io.meridian.simulation.world.SimSchedule;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Limiter: production's decision, reporting and verdict code, wired to simulated Redis and Kafka. */
public final class SimLimiter {
    private static final long REPORT_MICROS = SimSettings.micros(SimSettings.USAGE.interval());
    private static final long UPKEEP_MICROS = 100_000;
    private static final long POLL_MICROS = 20_000;
    private static final long LEAVE_MICROS = 400_000;
    private static final long LATE_MICROS = 2_500_000;
    private static final long DRAIN_LOOK_MICROS = 10_000;
    private static final int REGIONS_MAX = SimSettings.sync("any").regionsMax();

    public final SimRules rules;
    public final RedisConnection redis;
    private final SimSchedule schedule;
    private final SimKafka kafka;
    private final SplittableRandom random;
    private final Mutation mutation;
    private final LimiterCore core;
    private final GlobalUsageCore usage;
    private final RegionFloors floors;
    private final SimFetch fetch;
    private final Map<Integer, Long> positions = new HashMap<>();
    private boolean dead;
    private boolean stopping;
    private int unanswered;
    private long appliedMicros;

    public SimLimiter(
            String region,
            SimSchedule schedule,
            SimKafka kafka,
            SimLink link,
            RedisConnection redis,
            SimRules rules,
            SimClock clock,
            SplittableRandom random,
            Mutation mutation) {
        this.schedule = schedule;
        this.kafka = kafka;
        this.redis = redis;
        this.rules = rules;
        this.random = random;
        this.mutation = mutation;
        LimiterMetrics metrics = SimSettings.limiterMetrics();
        LeaderTracker contact = new LeaderTracker(SimSettings.USAGE, SimSettings.KEYS, clock, metrics);
        contact.partitions(SimKafka.PARTITIONS);
        LeaseConfig leases =
                mutation == Mutation.NO_GRANT_WAIT ? SimSettings.LEASES_WITHOUT_WAITING : SimSettings.LEASES;
        core = new LimiterCore(
                LimiterCore.LocalState.create(leases, metrics, clock, this::lost),
                LimiterCore.Outside.of(
                        rules,
                        redis,
                        fallback(metrics, mutation),
                        contact,
                        (millis, task) -> schedule.after(TimeUnit.MILLISECONDS.toMicros(millis), alive(task)),
                        clock),
                leases,
                metrics);
        SimProducer producer = new SimProducer(schedule, kafka, link, random, mutation, this::isDead);
        usage = new GlobalUsageCore(
                region, SimSettings.USAGE, redis, rules, producer, core.verdicts(), contact, core.clock(), metrics);
        fetch = new SimFetch(schedule, kafka, link, this::found, this::receive);
        floors = new RegionFloors(region, SimSettings.KEYS, core.clock()::nowMicros);
        floors.partitions(SimKafka.PARTITIONS);
        redis.of(core, mutation == Mutation.OVERLAPPING_FLOORS ? this::unbounded : floors, metrics);
        loop(REPORT_MICROS, this::report);
        loop(UPKEEP_MICROS, () -> {
            redis.connect();
            core.upkeep();
        });
        loop(POLL_MICROS, fetch::poll);
    }

    private static FallbackLimiter fallback(LimiterMetrics metrics, Mutation mutation) {
        return mutation != Mutation.NO_DEFERRED_CHARGES
                ? new FallbackLimiter(SimSettings.FALLBACK, metrics)
                : new FallbackLimiter(SimSettings.FALLBACK, metrics) {
                    @Override
                    public List<CounterRequest.Charge> pendingCharges(int max) {
                        return List.of();
                    }
                };
    }

    /** A method, because the core that calls it is created before the reporter. */
    private void lost(IncarnationChanged reborn) {
        usage.lost(reborn);
    }

    private Runnable alive(Runnable task) {
        return () -> {
            if (!dead) {
                task.run();
            }
        };
    }

    private void loop(long micros, Runnable task) {
        schedule.after(random.nextLong(micros), () -> again(micros, task));
    }

    private void again(long micros, Runnable task) {
        if (!dead) {
            task.run();
            schedule.after(micros, () -> again(micros, task));
        }
    }

    public boolean isDead() {
        return dead;
    }

    /** Whether it has unanswered checks, or a stop in progress. */
    public boolean isBusy() {
        return !dead && (unanswered > 0 || stopping);
    }

    public boolean isServing() {
        return !dead && !stopping;
    }

    public CompletionStage<CheckResult> check(Check check) {
        unanswered++;
        return core.check(check).whenComplete((ruling, failure) -> unanswered--);
    }

    /** Kills it, as a power failure does. */
    public void kill() {
        dead = true;
        redis.die();
    }

    /**
     * Stops it in order: it answers the checks in flight, returns its leases, reports, and ends.
     *
     * @param lost called if not all leases could be returned
     */
    public void stop(Runnable lost) {
        if (!stopping) {
            stopping = true;
            leaveOnceAllIsAnswered(lost);
        }
    }

    private void leaveOnceAllIsAnswered(Runnable lost) {
        if (dead) {
            return;
        }
        if (unanswered > 0) {
            schedule.after(DRAIN_LOOK_MICROS, () -> leaveOnceAllIsAnswered(lost));
            return;
        }
        if (mutation == Mutation.NO_LEASE_RETURN) {
            kill();
            return;
        }
        CompletableFuture<Void> back = core.leave();
        schedule.after(LEAVE_MICROS, alive(() -> {
            if (!back.isDone() || back.isCompletedExceptionally()) {
                lost.run();
            }
            report();
            kill();
        }));
    }

    private void report() {
        if (mutation == Mutation.UNEXPECTED_EXCEPTION) {
            throw new IllegalStateException("unexpected exception, thrown by a mutation");
        }
        try {
            usage.report();
        } catch (ExecutionException | TimeoutException away) {
            throwIfOurs(away);
        } catch (InterruptedException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** An unavailable Redis is expected; any other failure is a crash. */
    private static void throwIfOurs(Exception away) {
        if (!(away.getCause() instanceof RegionUnavailable)) {
            throw new IllegalStateException(away);
        }
    }

    private void receive(Runnable batch) {
        if (!dead) {
            batch.run();
            if (mutation != Mutation.LATE_VERDICTS || schedule.nowMicros() >= appliedMicros + LATE_MICROS) {
                appliedMicros = schedule.nowMicros();
                apply();
            }
        }
    }

    private List<Runnable> found() {
        List<Runnable> batch = new ArrayList<>();
        for (int p = 0; p < SimKafka.PARTITIONS; p++) {
            int partition = p;
            VerdictLog log = kafka.verdicts(p);
            long from = positions.getOrDefault(p, 0L);
            long stable = log.stable(from);
            for (long i = from; i < stable; i++) {
                VerdictLog.Entry entry = log.get(i);
                long next = i + 1;
                batch.add(() -> {
                    if (positions.getOrDefault(partition, 0L) == next - 1) {
                        positions.put(partition, next);
                        take(partition, entry);
                    }
                });
            }
        }
        return batch;
    }

    private void take(int partition, VerdictLog.Entry entry) {
        if (entry.marker() || !entry.transaction().committed) {
            return;
        }
        usage.heard(partition);
        if (entry.floor() != null) {
            floors.heard(partition, entry.floor());
        }
        VerdictRecord verdict = entry.verdict();
        if (verdict != null) {
            usage.heard(
                    redis.incarnation().isPresent() && mutation == Mutation.GRANTS_OUTLIVE_INCARNATION
                            ? inherited(verdict)
                            : verdict);
        }
    }

    /** Mutation: a floor in every window, also where the right of an earlier incarnation holds. */
    private FloorOffer unbounded(Limit limit, long life) {
        FloorRight right = new FloorRight(new RegionIncarnation("any", life), 0, REGIONS_MAX, 0, Long.MAX_VALUE, 0);
        return new FloorOffer(right.unitsMax(limit.quota().capacity()), 0, Long.MAX_VALUE);
    }

    /** Mutation: a verdict for an earlier incarnation, addressed to this one. */
    private VerdictRecord inherited(VerdictRecord said) {
        return new VerdictRecord(
                said.limit(),
                new RegionIncarnation(
                        said.incarnation().region(), redis.incarnation().orElseThrow()),
                said.epoch(),
                said.sequence(),
                said.rule(),
                said.usedElsewhere(),
                said.blocked(),
                said.granted(),
                said.keep(),
                said.echoMicros(),
                said.ratePerSecond());
    }

    private void apply() {
        try {
            usage.apply();
        } catch (ExecutionException | TimeoutException away) {
            throwIfOurs(away);
        } catch (InterruptedException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Rules that one limiter has loaded. */
    public static final class SimRules implements RulesInEffect {
        private final String region;
        private Rules current;

        public SimRules(String region, Collection<Policy> policies) {
            this.region = region;
            this.current = Rules.of(policies, region);
        }

        public void learn(Collection<Policy> policies) {
            current = Rules.of(policies, region);
        }

        @Override
        public RegionRules current() {
            return current;
        }

        @Override
        public RulesStatus status() {
            throw new UnsupportedOperationException("no status in the simulation");
        }

        private record Rules(PolicyIndex snapshot, Map<String, Policy> byId) implements RegionRules {
            static Rules of(Collection<Policy> policies, String region) {
                return new Rules(
                        PolicyIndex.compile(policies, region),
                        policies.stream().collect(Collectors.toMap(Policy::id, Function.identity())));
            }

            @Override
            public Listing listing(Check check, long nowMicros) {
                return new Listing.Unlisted();
            }

            @Override
            public List<Limit> limits(Check check, Optional<Integer> loadPercent, long nowMicros) {
                return snapshot.match(check);
            }

            @Override
            public List<Limit> clientLimits(
                    Check client, boolean endpointKnown, Optional<Integer> loadPercent, long nowMicros) {
                return snapshot.ofClient(client, endpointKnown);
            }

            @Override
            public Optional<String> tier(Check client, long nowMicros) {
                return Optional.empty();
            }

            @Override
            public Optional<Policy> policy(String id) {
                return Optional.ofNullable(byId.get(id));
            }
        }
    }
}
