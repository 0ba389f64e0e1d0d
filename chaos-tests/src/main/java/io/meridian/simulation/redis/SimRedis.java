package io.meridian.chaos.sim;

/**
 * A region's Redis: a server and its data, of one life or another. It may stand still, lose everything, be restarted, or give way
 * to a replica that is behind.
 */
final class SimRedis {
    private static final long OLD_MICROS = 60_000_000;

    final SimClock clock;
    final SimCounters counters;
    final SimBooks books;
    private final Schedule schedule;
    private final Witness witness;
    private final String region;

    private RegionData data = new RegionData();
    private RegionData behind = new RegionData();
    private String runId = "run-0";
    private int runs;
    private boolean up = true;
    private boolean frozen;
    private long troubledMicros;
    private long rebornMicros;
    private long awayMicros;
    private long answerLostMicros;

    SimRedis(String region, Schedule schedule, SimClock clock, Broken broken, Witness witness) {
        this.region = region;
        this.schedule = schedule;
        this.clock = clock;
        this.witness = witness;
        this.counters = new SimCounters(region, this, broken, witness);
        this.books = new SimBooks(this, broken);
        this.troubledMicros = schedule.nowMicros();
        // Older than any clock is set back.
        data.life = schedule.nowMicros() - OLD_MICROS;
        data.runId = runId;
        witness.lifeBegins(region, data.life);
    }

    /** The data is of another life than who asks knows. */
    static final class AnotherLife extends RuntimeException {
        private static final long serialVersionUID = 1;

        AnotherLife() {
            super("LIFE", null, false, false);
        }
    }

    String runId() {
        return runId;
    }

    boolean isUp() {
        return up;
    }

    boolean isFrozen() {
        return frozen;
    }

    long troubledMicros() {
        return up && !frozen ? troubledMicros : schedule.nowMicros();
    }

    void troubled() {
        troubledMicros = schedule.nowMicros();
    }

    /** An answer was lost: books that it handed out to be reported wait until their claim ends. */
    void answerLost() {
        answerLostMicros = schedule.nowMicros();
    }

    long answerLostMicros() {
        return answerLostMicros;
    }

    /** When it first could not be asked since its clock was set. */
    long awayMicros() {
        return awayMicros;
    }

    private void away() {
        if (awayMicros <= clock.setMicros()) {
            awayMicros = schedule.nowMicros();
        }
    }

    void freeze(boolean still) {
        if (still) {
            away();
        }
        frozen = still;
        troubled();
    }

    void down() {
        away();
        up = false;
        troubled();
    }

    /** Starts again, with its data. */
    void start() {
        if (!up) {
            runId = "run-" + ++runs;
            up = true;
            troubled();
        }
    }

    void wipe() {
        witness.lifeEnds(region, data);
        data = new RegionData();
        troubled();
    }

    /** Sets its clock. */
    void clock(long offMicros, long driftPpm) {
        if (clock.offMicros() != offMicros) {
            debtsAreAstray();
        }
        clock.set(offMicros, driftPpm);
    }

    /** What instances admitted by themselves and have not charged yet may not come, or not as of its window. */
    void debtsAreAstray() {
        witness.debtsAreAstray(region);
    }

    /** What a replica has by now. */
    void replicate() {
        behind = data.copied();
    }

    /** A replica takes over, with what it had when it last heard. */
    void promote() {
        witness.lifeEnds(region, data);
        data = behind.copied();
        runId = "run-" + ++runs;
        up = true;
        frozen = false;
        troubled();
    }

    /** When the life of its data began, before everything if it is the first. */
    long rebornMicros() {
        return rebornMicros;
    }

    RegionData data() {
        return data;
    }

    /** The data, for one who knows of which life it is. */
    RegionData data(long life) {
        if (data.life != life) {
            throw new AnotherLife();
        }
        return data;
    }

    /** Of which life the data is; if its server is another than it was, a new one begins. */
    Greeting greet(long lastKnown) {
        if (data.life > 0 && data.runId.equals(runId)) {
            return new Greeting(data.life, data.wiped);
        }
        boolean empty = data.life == 0;
        long number = Math.max(clock.wallMicros(), Math.max(lastKnown, data.life) + 1);
        data.life = number;
        data.runId = runId;
        data.wiped = empty;
        rebornMicros = schedule.nowMicros();
        witness.lifeBegins(region, number);
        return new Greeting(number, empty);
    }

    record Greeting(long life, boolean wiped) {}
}
