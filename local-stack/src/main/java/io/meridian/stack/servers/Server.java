package io.meridian.stack.servers;

import io.meridian.stack.process.ChildProcess;
import io.meridian.stack.process.Probe;

/** A started server that answers. Closing it stops it in order and waits until it is gone; its data stays. */
public interface Server extends AutoCloseable {
    ChildProcess process();

    /** Whether it answers now. */
    Probe probe();

    @Override
    default void close() {
        process().close();
    }

    /** Events that a server's data survives. */
    public enum Durability {
        /** A restart and a crash of the machine. */
        KEPT,
        /** Nothing: the folder goes with the server, so nothing waits for a disk. */
        THROWAWAY
    }
}
