package io.meridian.stack.process;

import com.sun.security.auth.module.UnixSystem;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Programs of this machine, and the kind of machine it is. */
public final class Executables {
    /**
     * Bound on the time for which a program that was told to end may go on undoing what it did. A process that waits for such a program
     * waits no shorter.
     */
    public static final Duration UNDO_MAX = Duration.ofMinutes(35);

    private Executables() {}

    public static Optional<Path> onPath(String program) {
        String path = System.getenv().getOrDefault("PATH", "");
        return Arrays.stream(path.split(File.pathSeparator))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, program))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** The Java that runs this. */
    public static Path java() {
        return Path.of(System.getProperty("java.home"), "bin", "java");
    }

    /**
     * Prefix of a command that gives it a session of its own, out of reach of the terminal's Ctrl-C: a program's own signal handlers would
     * otherwise end it in the middle of an orderly stop. Empty where the system has no means; the stop is then less orderly.
     */
    public static List<String> ownSessionPrefix() {
        if (onPath("setsid").isPresent()) {
            return List.of("setsid");
        }
        if (onPath("perl").isPresent()) {
            return List.of("perl", "-e", "use POSIX; POSIX::setsid(); exec { $ARGV[0] } @ARGV");
        }
        return List.of();
    }

    /** Operating system as the file names of bundled binaries spell it. */
    public static String system() {
        String name = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        return name.contains("mac") ? "darwin" : name;
    }

    public static boolean isArm() {
        return System.getProperty("os.arch").equals("aarch64");
    }

    public static boolean isRoot() {
        return new UnixSystem().getUid() == 0;
    }
}
