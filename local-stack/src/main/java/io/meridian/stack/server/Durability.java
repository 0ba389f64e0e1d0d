package io.meridian.stack.server;

/** What a server's data must survive. */
public enum Durability {
    /** A restart and a crash of the machine. */
    KEPT,
    /** Nothing: the folder goes with the server, so nothing waits for a disk. */
    THROWAWAY
}
