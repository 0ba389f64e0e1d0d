package io.meridian.stack;

import io.meridian.stack.process.ChildProcess;
import io.meridian.stack.servers.ProbeKind;

/** A started part of the stack. */
record Part(String name, String address, ChildProcess process, ProbeKind kind, String target) {
    /** @param stopped whether it does not run because somebody asked for that */
    PartState state(boolean stopped) {
        return new PartState(name, address, process.identity(), kind, target, stopped);
    }
}
