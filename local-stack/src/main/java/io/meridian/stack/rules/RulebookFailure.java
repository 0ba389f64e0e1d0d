package io.meridian.stack.rules;

/** Files or an admin API that cannot be worked with. The message is for the user, and may have several lines. */
public final class RulebookFailure extends RuntimeException {
    RulebookFailure(String message) {
        super(message);
    }

    RulebookFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
