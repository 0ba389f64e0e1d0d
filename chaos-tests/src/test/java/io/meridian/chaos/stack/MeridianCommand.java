package io.meridian.chaos.stack;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.stack.process.Executables;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The command as its shell script runs it, from what the build has just made. */
record MeridianCommand(Path state) {
    private static final Path HOME = Path.of("..").toAbsolutePath().normalize();
    private static final int SECONDS_MAX = 240;

    record Answer(int code, String output) {}

    Answer run(String... arguments) throws Exception {
        Path output = Files.createTempFile("meridian", ".out");
        List<String> command = new ArrayList<>(List.of(
                Executables.java().toString(),
                "-Dmeridian.home=" + HOME,
                "-cp",
                classpath(),
                "io.meridian.stack.cli.Meridian"));
        command.addAll(List.of(arguments));
        command.add("--state-dir=" + state);
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        boolean ended = process.waitFor(SECONDS_MAX, TimeUnit.SECONDS);
        String said = Files.readString(output, StandardCharsets.UTF_8);
        Files.delete(output);
        assertThat(ended)
                .as("meridian %s ends, having said: %s", List.of(arguments), said)
                .isTrue();
        return new Answer(process.exitValue(), said);
    }

    private static String classpath() throws Exception {
        Path target = HOME.resolve("local-stack/target");
        try (Stream<Path> files = Files.list(target)) {
            Path jar = files.filter(file -> file.getFileName().toString().matches("local-stack-.*\\.jar"))
                    .findFirst()
                    .orElseThrow();
            return jar + ":" + target.resolve("lib") + "/*";
        }
    }
}
