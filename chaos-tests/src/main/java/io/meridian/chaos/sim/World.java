package io.meridian.chaos.sim;

import io.meridian.limiter.decide.CheckResult;
import io.meridian.model.policy.Policy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** All regions, Kafka and the replicas of one history. */
final class World {
    static final int REPLICAS = 2;
    private static final long REPLICA_DELAY_MICROS = 5_000;
    private static final long RULES_DELAY_MICROS = 400_000;
    private static final long REPLICATE_MICROS = 300_000;
    /** What a loop takes besides the ways: reports, ticks, and what hardly matters and is told a second later, twice. */
    private static final long LOOP_MICROS = 3_000_000;

    private static final int WAYS = 8;
    /**
     * What it takes where nothing goes wrong: a round of reports and a tick, each waited for and once just missed, and as much again.
     * What hardly matters and is told a second later has no part in it: near a limit as small as these every unit matters.
     */
    private static final long CALM_LOOP_MICROS = 600_000;

    /** A region that joins connects to its Redis and announces itself, each in a round of its own, before the loop begins. */
    private static final long JOIN_MICROS = 200_000;

    /** What is used while a report is under way is told after its acknowledgement: two ways, and one there and one back. */
    private static final int CALM_WAYS = 4;

    private static final long CLOCK_KNOWN_MICROS = 2_000_000;

    final Schedule schedule = new Schedule();
    final SplittableRandom random;
    final Scenario scenario;
    final Witness witness = new Witness();
    final SimKafka kafka;
    final List<SimReplica> replicas = new ArrayList<>();
    private final List<SimRegion> regions = new ArrayList<>();
    private final Map<String, SimRegion> byName = new HashMap<>();
    private final Broken broken;
    private SimPolicies policies;
    private long rulesMicros = Schedule.START_MICROS;
    private long centreMicros = Schedule.START_MICROS;
    private int starts;
    private @Nullable Violation found;

    World(Scenario scenario, Broken broken) {
        this.scenario = scenario;
        this.broken = broken;
        this.random = new SplittableRandom(scenario.seed() ^ 0x5DEECE66DL);
        this.policies = scenario.policies();
        this.kafka = new SimKafka(schedule, random.split(), broken, witness);
        for (int i = 0; i < scenario.regions(); i++) {
            String name = "r" + i;
            SimRedis redis = new SimRedis(name, schedule, new SimClock(schedule), broken, witness);
            Link link = new Link(schedule, random.split(), 1_000, scenario.regionDelayMicros());
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

    long nowMicros() {
        return schedule.nowMicros();
    }

    List<SimRegion> regions() {
        return regions;
    }

    SimRegion region(String name) {
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

    /** @param offMicros by how much its machine's clock is off */
    void addInstance(SimRegion region, long offMicros) {
        SimClock clock = new SimClock(schedule);
        clock.set(offMicros, 0);
        RegionLink link = new RegionLink(schedule, region.redis, clock, random.split(), witness);
        region.instances.add(new SimInstance(
                region.name,
                schedule,
                kafka,
                region.link,
                link,
                new SimRules(region.name, policies.all()),
                clock,
                random.split(),
                broken));
        region.changedMicros = nowMicros();
    }

    void addReplica(String name) {
        Link link = new Link(schedule, random.split(), 500, REPLICA_DELAY_MICROS);
        SimClock clock = new SimClock(schedule);
        replicas.add(new SimReplica(name, starts++, schedule, kafka, link, clock, random.split(), broken));
        centreMicros = nowMicros();
    }

    /** The limits change, and every instance hears of it when it does. */
    void change(SimPolicies changed) {
        policies = changed;
        rulesMicros = nowMicros();
        List<Policy> all = changed.all();
        for (SimRegion region : regions) {
            for (SimInstance instance : region.instances) {
                schedule.after(random.nextLong(RULES_DELAY_MICROS), () -> {
                    if (policies.version() == changed.version()) {
                        instance.rules.learn(all);
                    }
                });
            }
        }
    }

    /** Answers come amid production code, which would take what is thrown for a failure of its own: so it is kept. */
    void answered(SimRegion region, SimInstance by, CheckResult ruling, long askedMicros) {
        try {
            boolean clockKnown = isClockKnown(region.name) && by.redis.isTimeKnown();
            witness.answered(region.name, ruling, askedMicros, clockKnown, this);
        } catch (RuntimeException | Error crash) {
            found = found == null ? Violation.crash(crash) : found;
        }
    }

    void failed(Throwable failure) {
        found = found == null ? new Violation("F1", "a check failed: " + failure) : found;
    }

    void throwIfViolated() {
        if (found != null) {
            throw found;
        }
    }

    SimPolicies policies() {
        return policies;
    }

    /**
     * Whether a region's instances can be expected to know its time: they could ask for it since it was set, and for one that drifts
     * lately too.
     */
    boolean isClockKnown(String name) {
        SimRedis redis = region(name).redis;
        long set = redis.clock.setMicros();
        boolean asked = redis.awayMicros() - set > CLOCK_KNOWN_MICROS && !redis.clock.isDrifting();
        long since = asked ? set : Math.max(set, redis.troubledMicros());
        return nowMicros() - since > CLOCK_KNOWN_MICROS;
    }

    long rebornMicros(String region) {
        return region(region).redis.rebornMicros();
    }

    long loopMicros() {
        return scenario.calm()
                ? CALM_LOOP_MICROS + CALM_WAYS * scenario.regionDelayMicros()
                : LOOP_MICROS + WAYS * scenario.regionDelayMicros();
    }

    /**
     * When a region last could not be expected to know or to tell. What was to be told when its clock was set back, or when an answer was
     * lost, waits as long as a claim lasts, at the most.
     */
    long troubledMicros(String name) {
        SimRegion region = region(name);
        long claimed =
                Math.max(region.redis.clock.setBackMicros(), region.redis.answerLostMicros()) + Mark.CLAIM_MICROS;
        boolean odd = region.redis.clock.offMicros() != 0
                || region.instances.stream().anyMatch(each -> each.redis.isTroubled());
        return LongStream.of(
                        region.link.troubledMicros(),
                        region.redis.troubledMicros(),
                        odd ? nowMicros() : 0,
                        Math.min(claimed, nowMicros()),
                        region.changedMicros,
                        rulesMicros)
                .max()
                .orElseThrow();
    }

    long centreTroubledMicros() {
        return Math.max(
                Math.max(centreMicros, kafka.troubledMicros()), kafka.group().changedMicros());
    }

    /** Whether leaders could be expected to lead, looked at often. */
    private void look() {
        boolean fine = replicas.stream().anyMatch(each -> !each.isDead());
        for (SimReplica replica : replicas) {
            boolean near = replica.link.delayMaxMicros() <= REPLICA_DELAY_MICROS && !replica.link.isCut();
            fine &= replica.isDead() || (near && !replica.isPaused() && replica.clock.offMicros() == 0);
        }
        for (int p = 0; p < SimKafka.PARTITIONS; p++) {
            int partition = p;
            fine &= replicas.stream().anyMatch(each -> each.leads(partition));
        }
        if (!fine) {
            centreMicros = nowMicros();
        }
    }
}
