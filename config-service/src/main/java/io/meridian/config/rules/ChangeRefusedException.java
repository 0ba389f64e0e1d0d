package io.meridian.config.rules;

import java.util.Optional;

/** A change that cannot be made as things stand, though it is well formed. No stack: it is an answer, not a fault. */
public final class ChangeRefusedException extends RuntimeException {
    /** Why. */
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

    /** The entry as it is, where that is what stands in the way. */
    public Optional<StoredEntry> current() {
        return current;
    }
}
