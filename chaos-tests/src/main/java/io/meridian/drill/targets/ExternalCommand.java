package io.meridian.drill.targets;

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
 * External command, run to its end or its timeout. Its output goes to files, so that a full pipe cannot block it, and it has its own session,
 * because Ctrl-C on a terminal would otherwise end the very command that undoes a fault.
 */
public final class ExternalCommand {
    private static final int OUTPUT_BYTES_MAX = 64 << 10;

    private ExternalCommand() {}

    public record Outcome(int status, String stdout, String stderr) {}

    /** Runs a command; one that exceeds the timeout is killed and fails. */
    public static Outcome run(List<String> command, Duration timeout) throws IOException, InterruptedException {
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
