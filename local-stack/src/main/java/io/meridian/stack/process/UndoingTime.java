package io.meridian.stack.process;

import java.time.Duration;

/** How long a program that was told to end may go on to undo what it did; whoever waits for it waits no shorter. */
public final class UndoingTime {
    public static final Duration MAX = Duration.ofMinutes(35);

    private UndoingTime() {}
}
