package io.meridian.stack;

import io.meridian.stack.faults.FaultRefusal;
import io.meridian.stack.process.ChildProcess;
import io.meridian.stack.process.StartFailure;
import io.meridian.stack.servers.ProbeKind;
import io.meridian.stack.servers.RedisServer;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** Does one thing at a time to a part, where that makes sense as the part stands. */
final class PartControl {
    /** Longer than any start may take. */
    private static final int TURN_SECONDS_MAX = 240;

    private final PartSeat seat;
    private final ReentrantLock busy = new ReentrantLock();

    PartControl(PartSeat seat) {
        this.seat = seat;
    }

    PartSeat seat() {
        return seat;
    }

    /** The start that comes with the stack's own. */
    void begin() {
        busy.lock();
        try {
            seat.start();
        } finally {
            busy.unlock();
        }
    }

    /**
     * Returns when it is done.
     *
     * @throws FaultRefusal when it cannot be done to this part, or not as the part stands
     */
    void perform(PartVerb verb) throws InterruptedException {
        if (!busy.tryLock(TURN_SECONDS_MAX, TimeUnit.SECONDS)) {
            throw FaultRefusal.of(409, seat.name() + " is busy, cannot " + verb.word());
        }
        try {
            switch (verb) {
                case KILL -> whileAlive(verb).kill();
                case STOP -> whileAlive(verb).stop();
                case START -> start();
                case RESTART -> restart();
                case FREEZE -> process(verb).freeze();
                case THAW -> process(verb).thaw();
                case WIPE -> wipe();
            }
        } catch (StartFailure failed) {
            throw FaultRefusal.of(500, String.valueOf(failed.getMessage()));
        } finally {
            busy.unlock();
        }
    }

    private PartSeat whileAlive(PartVerb verb) {
        if (!seat.isAlive()) {
            throw FaultRefusal.of(409, seat.name() + " does not run, cannot " + verb.word());
        }
        return seat;
    }

    private ChildProcess process(PartVerb verb) {
        return whileAlive(verb).part().orElseThrow().process();
    }

    private void start() {
        if (seat.isAlive()) {
            throw FaultRefusal.of(409, seat.name() + " runs, cannot start");
        }
        seat.start();
    }

    private void restart() {
        if (seat.isAlive()) {
            seat.stop();
        }
        seat.start();
    }

    private void wipe() {
        Part part = seat.part()
                .filter(each -> each.kind() == ProbeKind.REDIS)
                .orElseThrow(() -> FaultRefusal.of(400, "only a Redis can be wiped, got " + seat.name()));
        whileAlive(PartVerb.WIPE);
        try {
            RedisServer.wipe(Integer.parseInt(part.target()));
        } catch (IOException failed) {
            throw FaultRefusal.of(409, seat.name() + " cannot be wiped: " + failed.getMessage());
        }
    }
}
