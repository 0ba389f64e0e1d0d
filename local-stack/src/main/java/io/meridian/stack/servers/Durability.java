package io.meridian.stack.servers;

/** What a server's data must survive. */
public enum Durability {
    /** A restart and a crash of the machine. */
    KEPT,
    /** Nothing: the folder goes with the server, so nothing waits for a disk. */
    THROWAWAY
}
