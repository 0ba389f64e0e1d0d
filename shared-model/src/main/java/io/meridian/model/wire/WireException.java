package io.meridian.model.wire;

/**
 * Bytes or text that are not a record of ours. Usage may be skipped: a later record of its key mends it. A verdict may not,
 * by a leader that rebuilds its ledger: what it cannot read it must take as granted.
 */
public final class WireException extends IllegalArgumentException {
    WireException(String message) {
        super(message);
    }

    WireException(String message, Throwable cause) {
        super(message, cause);
    }
}
