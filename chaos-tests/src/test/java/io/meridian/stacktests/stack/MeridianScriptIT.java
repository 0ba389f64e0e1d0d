package io.meridian.stacktests.stack;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.stacktests.stack.MeridianCommand.Answer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The shell script that users call. */
@Timeout(120)
class MeridianScriptIT {
    private final Path temporary;

    MeridianScriptIT(@TempDir Path temporary) {
        this.temporary = temporary;
    }

    @Test
    void an_old_java_is_one_line() throws Exception {
        Path java = temporary.resolve("bin/java");
        Files.createDirectories(java.getParent());
        Files.writeString(java, "#!/bin/sh\necho 'openjdk version \"11.0.2\" 2019-01-15' >&2\n");
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwx------"));

        Answer answer = run(MeridianCommand.HOME.resolve("meridian"), Map.of("JAVA_HOME", temporary.toString()), "up");

        assertThat(answer.code()).isEqualTo(1);
        assertThat(answer.output()).containsOnlyOnce("\n").contains("needs Java 17 or later, and found 11.0.2");
    }

    @Test
    void it_runs_from_a_path_with_a_space() throws Exception {
        Path home = Files.createSymbolicLink(temporary.resolve("a home"), MeridianCommand.HOME);

        Answer answer = run(home.resolve("meridian"), Map.of(), "--help");

        assertThat(answer.code()).as(answer.output()).isZero();
        assertThat(answer.output()).startsWith("Usage: meridian").contains("down");
    }

    @Test
    void the_version_comes_with_the_commit() throws Exception {
        Answer answer = run(MeridianCommand.HOME.resolve("meridian"), Map.of(), "--version");

        assertThat(answer.code()).as(answer.output()).isZero();
        assertThat(answer.output()).matches("meridian \\d\\S+\ncommit (unknown|[0-9a-f]{12}(-modified)?)\n");
    }

    @Test
    void looking_where_nothing_runs_says_so_and_builds_nothing() throws Exception {
        Path state = temporary.resolve("a state");

        Answer answer = run(MeridianCommand.HOME.resolve("meridian"), Map.of(), "status", "--state-dir=" + state);

        assertThat(answer.code()).isEqualTo(1);
        assertThat(answer.output()).isEqualTo("Nothing runs. ./meridian up --state-dir='" + state + "' starts it.\n");
    }

    private Answer run(Path script, Map<String, String> environment, String... arguments) throws Exception {
        Path output = temporary.resolve("output");
        String[] command = new String[arguments.length + 2];
        command[0] = "sh";
        command[1] = script.toString();
        System.arraycopy(arguments, 0, command, 2, arguments.length);
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroy();
        }
        return new Answer(process.exitValue(), Files.readString(output, StandardCharsets.UTF_8));
    }
}
