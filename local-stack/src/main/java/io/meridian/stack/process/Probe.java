package io.meridian.stack.process;

/** Asks a server a question of its own protocol. Bounded: an attempt ends by itself, with or without an answer. */
@FunctionalInterface
public interface Probe {
    void check() throws ProbeFailure, InterruptedException;
}
