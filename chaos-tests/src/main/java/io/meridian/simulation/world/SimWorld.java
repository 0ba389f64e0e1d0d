package io.meridian.simulation.world;

import io.meridian.limiter.decide.CheckResult;
import io.meridian.model.counter.RegionModel.ReportMark;
import io.meridian.model.policy.Policy;
import io.meridian.simulation.Mutation;
import io.meridian.simulation.Scenario;
import io.meridian.simulation.Scenario.SimPolicies;
import io.meridian.simulation.invariants.InvariantChecker;
import io.meridian.simulation.invariants.InvariantViolation;
import io.meridian.simulation.kafka.SimKafka;
import io.meridian.simulation.nodes.SimLimiter;
import io.meridian.simulation.nodes.SimLimiter.SimRules;
import io.meridian.simulation.nodes.SimSyncReplica;
import io.meridian.simulation.redis.RedisConnection;
import io.meridian.simulation.redis.SimRedis;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** World of one history: its regions, Kafka and sync replicas. */
public final class SimWorld {
    static final int REPLICAS = 2;
    private static final long CLAIM_MICROS = TimeUnit.MILLISECONDS.toMicros(ReportMark.CLAIM_MILLIS);
    private static final long REPLICA_DELAY_MICROS = 5_000;
    private static final long RULES_DELAY_MICROS = 400_000;
    private static final long REPLICATE_MICROS = 300_000;
    /** Loop delay besides the trips on links: reports, ticks, and twice the second by which small changes are reported later. */
    private static final long LOOP_MICROS = 3_000_000;

    private static final int WAYS = 8;
    /**
     * The same without faults: a round of reports and a tick, each just missed once and waited for, and as much again. The later reports of
     * small changes have no part in it, because near limits as small as these every unit is reported at once.
     */
    private static final long CALM_LOOP_MICROS = 600_000;

    /** A region that joins connects to its Redis and announces itself, each in a round of its own, before its loop begins. */
    private static final long JOIN_MICROS = 200_000;

    /** Usage during a report is reported after its acknowledgement: two trips, and then one to Kafka and one back. */
    private static final int CALM_WAYS = 4;

    private static final long CLOCK_KNOWN_MICROS = 2_000_000;

    public final SimSchedule schedule = new SimSchedule();
    public final SplittableRandom random;
    public final Scenario scenario;
    public final InvariantChecker invariants = new InvariantChecker();
    public final SimKafka kafka;
    public final List<SimSyncReplica> replicas = new ArrayList<>();
    private final List<SimRegion> regions = new ArrayList<>();
    private final Map<String, SimRegion> byName = new HashMap<>();
    private final Mutation mutation;
    private SimPolicies policies;
    private long rulesMicros = SimSchedule.START_MICROS;
    private long leadersMicros = SimSchedule.START_MICROS;
    private int starts;
    private @Nullable InvariantViolation found;

    public SimWorld(Scenario scenario, Mutation mutation) {
        this.scenario = scenario;
        this.mutation = mutation;
        this.random = new SplittableRandom(scenario.seed() ^ 0x5DEECE66DL);
        this.policies = scenario.policies();
        this.kafka = new SimKafka(schedule, random.split(), mutation, invariants);
        for (int i = 0; i < scenario.regions(); i++) {
            String name = "r" + i;
            SimRedis redis = new SimRedis(name, schedule, new SimClock(schedule), mutation, invariants);
            SimLink link = new SimLink(schedule, random.split(), 1_000, scenario.regionDelayMicros());
            SimRegion region = new SimRegion(name, redis, link);
            regions.add(region);
            byName.put(name, region);
            long join = scenario.joinMicros().get(i);
            if (join == 0) {
                join(region);
            } else {
                schedule.after(join, () -> join(region));
            }
            schedule.every(REPLICATE_MICROS, redis::replicate);
        }
        for (int i = 0; i < REPLICAS; i++) {
            addReplica("sync-" + i);
        }
        schedule.every(50_000, this::look);
    }

    public long nowMicros() {
        return schedule.nowMicros();
    }

    public List<SimRegion> regions() {
        return regions;
    }

    public SimRegion region(String name) {
        return Objects.requireNonNull(byName.get(name), name);
    }

    private void join(SimRegion region) {
        for (int i = 0; i < scenario.instances(); i++) {
            addInstance(region);
        }
        schedule.after(JOIN_MICROS, () -> region.changedMicros = nowMicros());
    }

    void addInstance(SimRegion region) {
        addInstance(region, 0);
    }

    /** @param offMicros offset of its machine's clock */
    void addInstance(SimRegion region, long offMicros) {
        SimClock clock = new SimClock(schedule);
        clock.set(offMicros, 0);
        RedisConnection link = new RedisConnection(schedule, region.redis, clock, random.split(), mutation, invariants);
        region.instances.add(new SimLimiter(
                region.name,
                schedule,
                kafka,
                region.link,
                link,
                new SimRules(region.name, policies.all()),
                clock,
                random.split(),
                mutation));
        region.changedMicros = nowMicros();
    }

    void addReplica(String name) {
        SimLink link = new SimLink(schedule, random.split(), 500, REPLICA_DELAY_MICROS);
        SimClock clock = new SimClock(schedule);
        replicas.add(new SimSyncReplica(name, starts++, schedule, kafka, link, clock, random.split(), mutation));
        leadersMicros = nowMicros();
    }

    /** Changes the limits, which limiters learn with different delays. */
    void change(SimPolicies changed) {
        policies = changed;
        rulesMicros = nowMicros();
        List<Policy> all = changed.all();
        for (SimRegion region : regions) {
            for (SimLimiter instance : region.instances) {
                schedule.after(random.nextLong(RULES_DELAY_MICROS), () -> {
                    if (policies.version() == changed.version()) {
                        instance.rules.learn(all);
                    }
                });
            }
        }
    }

    /** Checks an answer. A violation is kept for later, because production code would treat an exception as a failure of its own. */
    public void answered(SimRegion region, SimLimiter by, CheckResult ruling, long askedMicros) {
        try {
            boolean clockKnown = isClockKnown(region.name) && by.redis.isTimeKnown();
            invariants.answered(region.name, ruling, askedMicros, clockKnown, this);
        } catch (RuntimeException | Error crash) {
            found = found == null ? InvariantViolation.crash(crash) : found;
        }
    }

    public void failed(Throwable failure) {
        found = found == null ? new InvariantViolation("F1", "a check failed: " + failure) : found;
    }

    public void throwIfViolated() {
        if (found != null) {
            throw found;
        }
    }

    public SimPolicies policies() {
        return policies;
    }

    /** Whether a region's limiters must know its time: they could read it since it was set, and if it drifts, also recently. */
    boolean isClockKnown(String name) {
        SimRedis redis = region(name).redis;
        long set = redis.clock.setMicros();
        boolean asked = redis.awayMicros() - set > CLOCK_KNOWN_MICROS && !redis.clock.isDrifting();
        long since = asked ? set : Math.max(set, redis.disturbedMicros());
        return nowMicros() - since > CLOCK_KNOWN_MICROS;
    }

    public long incarnationMicros(String region) {
        return region(region).redis.incarnationMicros();
    }

    public long loopMicros() {
        return scenario.calm()
                ? CALM_LOOP_MICROS + CALM_WAYS * scenario.regionDelayMicros()
                : LOOP_MICROS + WAYS * scenario.regionDelayMicros();
    }

    /**
     * Time of the last disturbance of a region's reports and verdicts. A report that was pending when the clock was set back, or an answer was
     * lost, waits for at most the lifetime of a claim.
     */
    public long disturbedMicros(String name) {
        SimRegion region = region(name);
        long claimed = Math.max(region.redis.clock.setBackMicros(), region.redis.answerLostMicros()) + CLAIM_MICROS;
        boolean odd = region.redis.clock.offMicros() != 0
                || region.instances.stream().anyMatch(each -> each.redis.isDisturbed());
        return LongStream.of(
                        region.link.disturbedMicros(),
                        region.redis.disturbedMicros(),
                        odd ? nowMicros() : 0,
                        Math.min(claimed, nowMicros()),
                        region.changedMicros,
                        rulesMicros)
                .max()
                .orElseThrow();
    }

    public long leadersDisturbedMicros() {
        return Math.max(
                Math.max(leadersMicros, kafka.disturbedMicros()), kafka.group().changedMicros());
    }

    /** Polls whether every partition has a leader without disturbance. */
    private void look() {
        boolean fine = replicas.stream().anyMatch(each -> !each.isDead());
        for (SimSyncReplica replica : replicas) {
            boolean near = replica.link.delayMaxMicros() <= REPLICA_DELAY_MICROS && !replica.link.isCut();
            fine &= replica.isDead() || (near && !replica.isPaused() && replica.clock.offMicros() == 0);
        }
        for (int p = 0; p < SimKafka.PARTITIONS; p++) {
            int partition = p;
            fine &= replicas.stream().anyMatch(each -> each.leads(partition));
        }
        if (!fine) {
            leadersMicros = nowMicros();
        }
    }

    /** Region: its Redis, its limiters, and its link to Kafka. */
    public static final class SimRegion {
        public final String name;
        public final SimRedis redis;
        public final SimLink link;
        public final List<SimLimiter> instances = new ArrayList<>();
        /** Time when a limiter last joined or left. */
        public long changedMicros;

        public SimRegion(String name, SimRedis redis, SimLink link) {
            this.name = name;
            this.redis = redis;
            this.link = link;
        }

        /** Limiters that receive checks; one that is stopping only completes those in flight. */
        public List<SimLimiter> serving() {
            return instances.stream().filter(SimLimiter::isServing).toList();
        }

        public List<SimLimiter> alive() {
            return instances.stream().filter(each -> !each.isDead()).toList();
        }
    }
}
