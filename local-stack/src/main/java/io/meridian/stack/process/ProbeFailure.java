package io.meridian.stack.process;

/** The server does not answer as it should, at least not now. */
public final class ProbeFailure extends Exception {
    public ProbeFailure(String message) {
        super(message);
    }

    public ProbeFailure(Throwable cause) {
        super(String.valueOf(cause.getMessage()), cause);
    }
}
