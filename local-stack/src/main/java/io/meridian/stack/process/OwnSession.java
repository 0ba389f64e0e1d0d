package io.meridian.stack.process;

import java.util.List;

/**
 * Runs a command in a session of its own, out of reach of the terminal's Ctrl-C. A program's own signal handlers would
 * otherwise end it in the middle of an orderly stop.
 */
public final class OwnSession {
    private OwnSession() {}

    /** What to put before a command; nothing where the system has no means, the stop is then merely less orderly. */
    public static List<String> prefix() {
        if (Executables.onPath("setsid").isPresent()) {
            return List.of("setsid");
        }
        if (Executables.onPath("perl").isPresent()) {
            return List.of("perl", "-e", "use POSIX; POSIX::setsid(); exec { $ARGV[0] } @ARGV");
        }
        return List.of();
    }
}
