package io.meridian.simulation.world;

import io.meridian.simulation.Scenario.SimFault;
import io.meridian.simulation.Scenario.SimPolicies;
import io.meridian.simulation.nodes.SimLimiter;
import io.meridian.simulation.nodes.SimSyncReplica;
import io.meridian.simulation.nodes.TransactionWriter;
import io.meridian.simulation.redis.SimRedis;
import io.meridian.simulation.world.SimWorld.SimRegion;
import java.util.List;

/** Injection of a scenario's faults, and their undoing. */
public final class FaultInjector {
    private static final long SLOW_MICROS = 300_000;
    private static final long CLOCK_MICROS = 5_000_000;
    private static final long DRIFT_PPM = 2_000;
    private static final double LOSS_MAX = 0.5;
    private static final long FLAP_MICROS = 150_000;

    private final SimWorld world;
    private boolean over;

    public FaultInjector(SimWorld world) {
        this.world = world;
        for (SimFault fault : world.scenario.faults()) {
            world.schedule.at(SimSchedule.START_MICROS + fault.atMicros(), () -> begin(fault));
        }
    }

    private void begin(SimFault fault) {
        if (over) {
            return;
        }
        SimRegion region = world.regions().get(fault.who() % world.regions().size());
        switch (fault.kind()) {
            case CUT_BOTH_WAYS -> cut(region.link, true, true, fault);
            case CUT_ONE_WAY -> cut(region.link, fault.flag(), !fault.flag(), fault);
            case FLAPPING_LINK -> flap(region.link, fault, true, world.nowMicros() + fault.forMicros());
            case SLOW_LINK -> slow(region.link, fault, world.scenario.regionDelayMicros());
            case LOSS_AND_DUPLICATION -> {
                region.link.lossy(fault.size() * LOSS_MAX, fault.flag() ? fault.size() : 0);
                later(fault, () -> region.link.lossy(0, 0));
            }
            case KAFKA_DOWN -> {
                world.kafka.up(false);
                later(fault, () -> world.kafka.up(true));
            }
            case LIMITER_KILLED, LIMITER_STOPPED, LIMITER_JOINS -> instance(fault, region);
            case REPLICA_CUT_OFF,
                    REPLICA_SLOW,
                    REPLICA_KILLED,
                    REPLICA_LEAVES,
                    REPLICA_JOINS,
                    REPLICA_PAUSED,
                    REPLICA_CRASHES_AT_A_COMMIT_POINT,
                    REPLICA_PAUSED_AT_A_COMMIT_POINT,
                    REPLICA_CLOCK -> replica(fault);
            case REDIS_FROZEN, REDIS_RESTARTED, REDIS_WIPED, STALE_REPLICA_PROMOTED, REDIS_SLOW_AND_LOSSY ->
                redis(fault, region);
            case REGION_CLOCK -> {
                region.redis.clock(offMicros(fault), driftPpm(fault));
                later(fault, () -> region.redis.clock(0, 0));
            }
            case LIMIT_CHANGED -> limit(fault);
        }
    }

    private void later(SimFault fault, Runnable mend) {
        world.schedule.after(fault.forMicros(), () -> {
            if (!over) {
                mend.run();
            }
        });
    }

    private void cut(SimLink link, boolean to, boolean from, SimFault fault) {
        link.cut(to, from);
        later(fault, () -> link.cut(false, false));
    }

    private void flap(SimLink link, SimFault fault, boolean down, long untilMicros) {
        if (over) {
            return;
        }
        boolean end = world.nowMicros() >= untilMicros;
        link.cut(down && !end, down && !end);
        if (!end) {
            world.schedule.after(FLAP_MICROS, () -> flap(link, fault, !down, untilMicros));
        }
    }

    private void slow(SimLink link, SimFault fault, long normalMicros) {
        link.delay(1_000 + (long) (fault.size() * SLOW_MICROS) / 2, 2_000 + (long) (fault.size() * SLOW_MICROS));
        later(fault, () -> link.delay(1_000, normalMicros));
    }

    private static long offMicros(SimFault fault) {
        return (long) ((fault.size() * 2 - 1) * CLOCK_MICROS);
    }

    private static long driftPpm(SimFault fault) {
        long fast = fault.forMicros() % 2 == 0 ? DRIFT_PPM : -DRIFT_PPM;
        return fault.flag() ? fast : 0;
    }

    private void instance(SimFault fault, SimRegion region) {
        List<SimLimiter> alive = region.alive();
        region.changedMicros = world.nowMicros();
        if (fault.kind() == SimFault.Kind.LIMITER_JOINS) {
            world.addInstance(region, fault.flag() ? offMicros(fault) : 0);
            return;
        }
        if (alive.isEmpty()) {
            return;
        }
        SimLimiter which = alive.get(fault.who() / 8 % alive.size());
        if (fault.kind() == SimFault.Kind.LIMITER_KILLED) {
            world.invariants.markInexact();
            which.kill();
        } else {
            which.stop(world.invariants::markInexact);
        }
        later(fault, () -> world.addInstance(region));
    }

    private void replica(SimFault fault) {
        List<SimSyncReplica> alive =
                world.replicas.stream().filter(each -> !each.isDead()).toList();
        if (fault.kind() == SimFault.Kind.REPLICA_JOINS) {
            world.addReplica("sync-" + world.replicas.size());
            return;
        }
        if (alive.isEmpty()) {
            return;
        }
        SimSyncReplica which = alive.get(fault.who() % alive.size());
        switch (fault.kind()) {
            case REPLICA_CUT_OFF -> cut(which.link, fault.flag(), true, fault);
            case REPLICA_SLOW -> slow(which.link, fault, 5_000);
            case REPLICA_KILLED -> {
                which.kill();
                restart(fault, which);
            }
            case REPLICA_LEAVES -> {
                which.leave();
                restart(fault, which);
            }
            case REPLICA_PAUSED -> {
                which.pause();
                later(fault, which::resume);
            }
            case REPLICA_CRASHES_AT_A_COMMIT_POINT -> {
                which.crashAt(point(fault), true);
                later(fault, () -> which.crashAt(TransactionWriter.CrashPoint.NONE, false));
                restart(fault, which);
            }
            case REPLICA_PAUSED_AT_A_COMMIT_POINT -> {
                which.crashAt(point(fault), false);
                later(fault, () -> {
                    which.crashAt(TransactionWriter.CrashPoint.NONE, false);
                    which.resume();
                });
            }
            default -> {
                which.clock.set(offMicros(fault), driftPpm(fault));
                later(fault, () -> which.clock.set(0, 0));
            }
        }
    }

    private static TransactionWriter.CrashPoint point(SimFault fault) {
        TransactionWriter.CrashPoint[] points = TransactionWriter.CrashPoint.values();
        return points[1 + fault.who() % (points.length - 1)];
    }

    private void restart(SimFault fault, SimSyncReplica which) {
        later(fault, () -> {
            if (which.isDead()) {
                world.addReplica(which.name);
            }
        });
    }

    private void redis(SimFault fault, SimRegion region) {
        world.invariants.markInexact();
        SimRedis redis = region.redis;
        switch (fault.kind()) {
            case REDIS_FROZEN -> {
                redis.freeze(true);
                later(fault, () -> redis.freeze(false));
            }
            case REDIS_RESTARTED -> {
                redis.down();
                later(fault, redis::start);
            }
            case REDIS_WIPED -> redis.wipe();
            case STALE_REPLICA_PROMOTED -> redis.promote();
            default -> {
                region.instances.forEach(each -> each.redis.disturb(fault.size() * LOSS_MAX));
                later(fault, () -> region.instances.forEach(each -> each.redis.disturb(0)));
            }
        }
    }

    private void limit(SimFault fault) {
        SimPolicies now = world.policies();
        long factor = 50 + (long) (fault.size() * 150);
        world.change(new SimPolicies(
                now.version() + 1,
                Math.max(1, now.escrow() * factor / 100),
                Math.max(1, now.converge() * factor / 100),
                Math.max(1, now.lasting() * factor / 100),
                now.regional()));
    }

    private void addIfNobodyServes(SimRegion region) {
        if (region.serving().isEmpty()) {
            world.addInstance(region);
        }
    }

    /** Undoes all faults, and injects no more. */
    public void heal() {
        over = true;
        world.kafka.up(true);
        for (SimRegion region : world.regions()) {
            region.link.cut(false, false);
            region.link.lossy(0, 0);
            region.link.delay(1_000, world.scenario.regionDelayMicros());
            region.redis.freeze(false);
            region.redis.start();
            region.redis.clock(0, 0);
            region.instances.forEach(each -> each.redis.disturb(0));
            addIfNobodyServes(region);
        }
        for (SimSyncReplica replica : List.copyOf(world.replicas)) {
            replica.link.cut(false, false);
            replica.link.delay(500, 5_000);
            replica.clock.set(0, 0);
            replica.crashAt(TransactionWriter.CrashPoint.NONE, false);
            if (replica.isPaused()) {
                replica.resume();
            }
        }
        if (world.replicas.stream().allMatch(SimSyncReplica::isDead)) {
            world.addReplica("sync-healed");
        }
    }
}
