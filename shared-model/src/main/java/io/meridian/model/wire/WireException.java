package io.meridian.model.wire;

/** Bytes or text that are not a record of ours. The reader skips the record and says so; it never guesses. */
public final class WireException extends IllegalArgumentException {
    public WireException(String message) {
        super(message);
    }

    public WireException(String message, Throwable cause) {
        super(message, cause);
    }
}
