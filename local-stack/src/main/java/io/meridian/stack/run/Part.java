package io.meridian.stack.run;

import io.meridian.stack.process.ChildProcess;
import io.meridian.stack.server.ProbeKind;

/** A started part of the stack. */
record Part(String name, String address, ChildProcess process, ProbeKind kind, String target) {
    PartState state() {
        return new PartState(name, address, process.identity(), kind, target);
    }
}
