package io.meridian.stacktests.stack;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.stack.process.Executables;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The command as its shell script runs it, from what the build has just made. */
public record MeridianCommand(Path state) {
    public static final Path HOME = Path.of("..").toAbsolutePath().normalize();

    private static final Path TARGET = HOME.resolve("local-stack/target");
    private static final int SECONDS_MAX = 600;

    public record Answer(int code, String output) {}

    public Answer run(String... arguments) throws Exception {
        Path output = Files.createTempFile("meridian", ".out");
        try {
            Process process = start(output, arguments);
            boolean ended = endsOrIsEnded(process);
            String said = Files.readString(output, StandardCharsets.UTF_8);
            assertThat(ended)
                    .as("meridian %s ends, having said: %s", List.of(arguments), said)
                    .isTrue();
            return new Answer(process.exitValue(), said);
        } finally {
            Files.delete(output);
        }
    }

    /** Leaves the command running. */
    Process start(Path output, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Executables.java().toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dmeridian.home=" + HOME,
                "-cp",
                TARGET.resolve("local-stack.jar") + ":" + TARGET.resolve("lib") + "/*",
                "io.meridian.stack.cli.Meridian"));
        command.addAll(List.of(arguments));
        command.add("--state-dir=" + state);
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
    }

    private static boolean endsOrIsEnded(Process process) throws InterruptedException {
        try {
            return process.waitFor(SECONDS_MAX, TimeUnit.SECONDS);
        } finally {
            process.destroy();
        }
    }
}
