package io.meridian.stack;

import io.meridian.stack.process.ProbeFailure;
import io.meridian.stack.process.ProcessIdentity;
import io.meridian.stack.servers.ProbeKind;

/**
 * A part as it is written down, enough to ask it later how it is.
 *
 * @param address where users reach it
 * @param target what its probe asks
 * @param stopped whether a drill has ended it: that it does not run is no surprise
 */
public record PartState(
        String name, String address, ProcessIdentity process, ProbeKind kind, String target, boolean stopped) {
    /** How a part is. */
    public enum Condition {
        READY,
        /** Runs, but does not say that it is ready. */
        DEGRADED,
        /** Stands still, by SIGSTOP. */
        FROZEN,
        /** Does not run, because a drill wanted it so. */
        STOPPED,
        DEAD
    }

    public Condition condition() {
        if (!process.isAlive()) {
            return stopped ? Condition.STOPPED : Condition.DEAD;
        }
        if (process.isFrozen()) {
            return Condition.FROZEN;
        }
        try {
            kind.at(target).check();
            return Condition.READY;
        } catch (ProbeFailure e) {
            return Condition.DEGRADED;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Condition.DEGRADED;
        }
    }
}
