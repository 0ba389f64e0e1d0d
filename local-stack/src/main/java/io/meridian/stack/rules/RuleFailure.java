package io.meridian.stack.rules;

/** Files or an admin API that cannot be worked with. The message is for the user, and may have several lines. */
public final class RuleFailure extends RuntimeException {
    /** Whether the other side was there. */
    public enum Kind {
        /** A file, or an answer of the service, that cannot be worked with. */
        UNUSABLE,
        /** The service did not answer. */
        UNAVAILABLE
    }

    private final Kind kind;

    RuleFailure(String message) {
        super(message);
        this.kind = Kind.UNUSABLE;
    }

    RuleFailure(Kind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    RuleFailure(String message, Throwable cause) {
        this(Kind.UNUSABLE, message, cause);
    }

    public Kind kind() {
        return kind;
    }
}
