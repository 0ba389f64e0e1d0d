package io.meridian.simulation.redis;

import io.meridian.model.counter.RegionModel;
import io.meridian.model.counter.RegionModel.Incarnation;
import io.meridian.model.counter.RegionModel.Server;
import io.meridian.simulation.Mutation;
import io.meridian.simulation.invariants.InvariantChecker;
import io.meridian.simulation.world.SimClock;
import io.meridian.simulation.world.SimSchedule;

/**
 * Redis of a region: a server, its data, and the incarnation of the data. It may freeze, lose its data, restart, or fail over to a replica that
 * lags behind.
 */
public final class SimRedis {
    private static final long OLD_MICROS = 60_000_000;

    public final SimClock clock;
    final RegionScripts scripts;
    private final SimSchedule schedule;
    private final InvariantChecker invariants;
    private final String region;

    private RegionModel model = new RegionModel();
    private RegionModel replica = new RegionModel();
    private int runs;
    private boolean up = true;
    private boolean frozen;
    private long disturbedMicros;
    private long incarnationMicros;
    private long awayMicros;
    private long answerLostMicros;

    public SimRedis(
            String region, SimSchedule schedule, SimClock clock, Mutation mutation, InvariantChecker invariants) {
        this.region = region;
        this.schedule = schedule;
        this.clock = clock;
        this.invariants = invariants;
        this.scripts = new RegionScripts(region, this, mutation, invariants);
        this.disturbedMicros = schedule.nowMicros();
        // Older than any clock is set back.
        Incarnation first = model.identify(server(), 0, schedule.nowMicros() - OLD_MICROS);
        invariants.incarnationBegins(region, first.number());
    }

    /** Names this run of the server. */
    String runId() {
        return "run-" + runs;
    }

    /** The simulated server has one replication history: every failover is another run. */
    private Server server() {
        return new Server(runId(), "", 0);
    }

    public boolean isUp() {
        return up;
    }

    boolean isFrozen() {
        return frozen;
    }

    public long disturbedMicros() {
        return up && !frozen ? disturbedMicros : schedule.nowMicros();
    }

    public void markDisturbed() {
        disturbedMicros = schedule.nowMicros();
    }

    /** An answer was lost, so that accounts that it claimed for reporting wait until the claim ends. */
    void answerLost() {
        answerLostMicros = schedule.nowMicros();
    }

    public long answerLostMicros() {
        return answerLostMicros;
    }

    /** Time when it first became unavailable since its clock was set. */
    public long awayMicros() {
        return awayMicros;
    }

    private void away() {
        if (awayMicros <= clock.setMicros()) {
            awayMicros = schedule.nowMicros();
        }
    }

    public void freeze(boolean still) {
        if (still) {
            away();
        }
        frozen = still;
        markDisturbed();
    }

    public void down() {
        away();
        up = false;
        markDisturbed();
    }

    /** Restarts with its data. */
    public void start() {
        if (!up) {
            runs++;
            up = true;
            markDisturbed();
        }
    }

    public void wipe() {
        invariants.incarnationEnds(region, model);
        model = new RegionModel();
        markDisturbed();
    }

    /** Sets its clock. */
    public void clock(long offMicros, long driftPpm) {
        if (clock.offMicros() != offMicros) {
            markPendingChargesUncertain();
        }
        clock.set(offMicros, driftPpm);
    }

    /** Charges of degraded admissions that are pending may never arrive, or arrive for another window. */
    public void markPendingChargesUncertain() {
        invariants.markPendingChargesUncertain(region);
    }

    /** Copies the data to the replica. */
    public void replicate() {
        replica = model.copied();
    }

    /** Fails over to the replica, with the data of its last copy. */
    public void promote() {
        invariants.incarnationEnds(region, model);
        model = replica.copied();
        runs++;
        up = true;
        frozen = false;
        markDisturbed();
    }

    /** Begin of the incarnation of its data; 0 for the first. */
    public long incarnationMicros() {
        return incarnationMicros;
    }

    public RegionModel model() {
        return model;
    }

    /** Incarnation of the data; a new one begins if the server is not the one that it began on. */
    Incarnation identify(long lastKnown) {
        long before = model.incarnation();
        Incarnation incarnation = model.identify(server(), lastKnown, clock.wallMicros());
        if (incarnation.number() != before) {
            incarnationMicros = schedule.nowMicros();
            invariants.incarnationBegins(region, incarnation.number());
        }
        return incarnation;
    }
}
