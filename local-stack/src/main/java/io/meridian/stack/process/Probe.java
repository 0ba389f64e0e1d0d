package io.meridian.stack.process;

/** Readiness check in a server's own protocol. Bounded: an attempt ends by itself, with or without an answer. */
@FunctionalInterface
public interface Probe {
    void check() throws ProbeFailure, InterruptedException;

    /** The server does not answer as it should, at least not now. */
    public static final class ProbeFailure extends Exception {
        public ProbeFailure(String message) {
            super(message);
        }

        public ProbeFailure(Throwable cause) {
            super(String.valueOf(cause.getMessage()), cause);
        }
    }
}
