package io.meridian.config.rules;

import java.util.Optional;

/** Refusal of a well-formed change because of the present state. Without a stack trace: it is an answer, not a fault. */
public final class ChangeRefusedException extends RuntimeException {
    public enum Reason {
        NOT_FOUND,
        ALREADY_EXISTS,
        STALE,
        IN_USE
    }

    private final Reason reason;
    private final transient Optional<StoredEntry> current;

    ChangeRefusedException(Reason reason, String detail, Optional<StoredEntry> current) {
        super(detail, null, false, false);
        this.reason = reason;
        this.current = current;
    }

    public Reason reason() {
        return reason;
    }

    /** The present entry, where it is the reason. */
    public Optional<StoredEntry> current() {
        return current;
    }
}
