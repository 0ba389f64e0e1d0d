package io.meridian.stack.rules;

/** Files or an admin API that cannot be worked with. The message is for the user, and may have several lines. */
public final class RuleFailure extends RuntimeException {
    RuleFailure(String message) {
        super(message);
    }

    RuleFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
