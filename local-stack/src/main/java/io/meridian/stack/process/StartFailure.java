package io.meridian.stack.process;

import java.nio.file.Path;

/** A part could not be started. The message is for the user and says why, with the end of the part's log where it helps. */
public final class StartFailure extends RuntimeException {
    public StartFailure(String message) {
        super(message);
    }

    public StartFailure(String message, Throwable cause) {
        super(message, cause);
    }

    public static StartFailure withLog(String message, Path log) {
        return new StartFailure(message + "\n  The end of " + log + ":\n" + LogTail.of(log));
    }
}
