package io.meridian.simulation.redis;

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
    final SimCounters counters;
    public final SimAccounts accounts;
    private final SimSchedule schedule;
    private final InvariantChecker invariants;
    private final String region;

    private RegionData data = new RegionData();
    private RegionData behind = new RegionData();
    private String runId = "run-0";
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
        this.counters = new SimCounters(region, this, mutation, invariants);
        this.accounts = new SimAccounts(this, mutation);
        this.disturbedMicros = schedule.nowMicros();
        // Older than any clock is set back.
        data.life = schedule.nowMicros() - OLD_MICROS;
        data.runId = runId;
        invariants.incarnationBegins(region, data.life);
    }

    /** The data has another incarnation than the caller's. */
    static final class StaleIncarnationException extends RuntimeException {
        private static final long serialVersionUID = 1;

        StaleIncarnationException() {
            super("LIFE", null, false, false);
        }
    }

    String runId() {
        return runId;
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
            runId = "run-" + ++runs;
            up = true;
            markDisturbed();
        }
    }

    public void wipe() {
        invariants.incarnationEnds(region, data);
        data = new RegionData();
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
        behind = data.copied();
    }

    /** Fails over to the replica, with the data of its last copy. */
    public void promote() {
        invariants.incarnationEnds(region, data);
        data = behind.copied();
        runId = "run-" + ++runs;
        up = true;
        frozen = false;
        markDisturbed();
    }

    /** Begin of the incarnation of its data; 0 for the first. */
    public long incarnationMicros() {
        return incarnationMicros;
    }

    public RegionData data() {
        return data;
    }

    /** The data, for a caller with its current incarnation. */
    public RegionData data(long life) {
        if (data.life != life) {
            throw new StaleIncarnationException();
        }
        return data;
    }

    /** Incarnation of the data; a new one begins if the server is not the one that it began on. */
    Identity identify(long lastKnown) {
        if (data.life > 0 && data.runId.equals(runId)) {
            return new Identity(data.life, data.wiped);
        }
        boolean empty = data.life == 0;
        long number = Math.max(clock.wallMicros(), Math.max(lastKnown, data.life) + 1);
        data.life = number;
        data.runId = runId;
        data.wiped = empty;
        incarnationMicros = schedule.nowMicros();
        invariants.incarnationBegins(region, number);
        return new Identity(number, empty);
    }

    record Identity(long life, boolean wiped) {}
}
