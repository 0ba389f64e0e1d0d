package io.meridian.chaos.drill.world;

import io.meridian.stack.process.Executables;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A command of the user's, run to its end or its deadline. Its output goes through files, so that it cannot block it, and it has
 * a session of its own: a terminal's Ctrl-C would end the very command that undoes.
 */
public final class CommandLineRun {
    private static final int OUTPUT_BYTES_MAX = 64 << 10;

    private CommandLineRun() {}

    public record Outcome(int status, String stdout, String stderr) {}

    /** One that does not end in time is ended, and is a failure. */
    public static Outcome of(List<String> command, Duration timeout) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(Executables.ownSessionPrefix());
        line.addAll(command);
        Path stdout = Files.createTempFile("drill", ".out");
        Path stderr = Files.createTempFile("drill", ".err");
        try {
            Process process = new ProcessBuilder(line)
                    .redirectInput(new File("/dev/null"))
                    .redirectOutput(stdout.toFile())
                    .redirectError(stderr.toFile())
                    .start();
            try {
                if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                    throw new IOException(String.join(" ", command) + " did not end within " + timeout);
                }
                return new Outcome(process.exitValue(), head(stdout), head(stderr));
            } finally {
                process.destroyForcibly();
            }
        } finally {
            Files.delete(stdout);
            Files.delete(stderr);
        }
    }

    private static String head(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return new String(in.readNBytes(OUTPUT_BYTES_MAX), StandardCharsets.UTF_8);
        }
    }
}
