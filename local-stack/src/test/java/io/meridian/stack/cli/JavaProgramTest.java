package io.meridian.stack.cli;

import static io.meridian.testkit.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.stack.process.Executables;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real processes: the command, the program it runs, and the signals of a terminal. */
@Timeout(600)
class JavaProgramTest {
    private final Path home;
    private final Path notes;
    private final List<ProcessHandle> begun = new ArrayList<>();

    JavaProgramTest(@TempDir Path folder) {
        home = folder.resolve("a home");
        notes = folder.resolve("notes");
    }

    @BeforeEach
    void build() throws Exception {
        Files.createDirectories(notes);
        Path target = Files.createDirectories(home.resolve("m/target"));
        Files.createDirectory(target.resolve("lib"));
        Path classes = Path.of(JavaProgramTest.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        Files.createSymbolicLink(target.resolve("classes"), classes);
    }

    @AfterEach
    void leave_nothing() {
        begun.forEach(ProcessHandle::destroyForcibly);
    }

    @Test
    void arguments_and_exit_code_are_handed_through() throws Exception {
        Process command = start("7", "--help", "a b");

        assertThat(command.waitFor()).isEqualTo(7);
        assertThat(Files.readAllLines(notes.resolve("arguments")))
                .containsExactly(notes.toString(), "7", "--help", "a b");
    }

    @Test
    void a_signal_to_the_command_alone_reaches_the_program_and_the_command_waits_until_it_has_undone()
            throws Exception {
        Process command = start();
        ProcessHandle program = program();

        signal("TERM", Long.toString(command.pid()));

        assertUndone(command, program);
    }

    @Test
    void ctrl_c_and_a_second_ctrl_c_leave_the_program_its_time_and_nobody_behind() throws Exception {
        Process command = start();
        ProcessHandle program = program();

        signal(interrupt(), "-" + command.pid());
        await("undoing");
        signal(interrupt(), "-" + command.pid());

        assertUndone(command, program);
    }

    @Test
    void nothing_is_killed_while_it_may_still_undo() {
        assertThat(JavaProgram.ENDS_WITHIN).isGreaterThan(Executables.UNDO_MAX);
    }

    private void assertUndone(Process command, ProcessHandle program) throws Exception {
        await("undoing");
        assertThat(command.isAlive()).isTrue();
        assertThat(notes.resolve("undone")).doesNotExist();

        Files.writeString(notes.resolve("enough"), "");

        assertThat(command.waitFor(120, TimeUnit.SECONDS)).isTrue();
        assertThat(notes.resolve("undone")).exists();
        assertThat(program.isAlive()).isFalse();
        assertThat(command.exitValue()).isIn(128 + 2, 128 + 15);
    }

    /** In a session of its own, as a terminal's foreground job is in a process group of its own. */
    private Process start(String... arguments) throws Exception {
        List<String> line = new ArrayList<>(Executables.ownSessionPrefix());
        line.addAll(List.of(
                Executables.java().toString(),
                "-Xmx64m",
                "-Dmeridian.home=" + home,
                "-cp",
                System.getProperty("java.class.path"),
                OtherJavaMain.class.getName(),
                notes.toString()));
        line.addAll(List.of(arguments));
        Process command = new ProcessBuilder(line).inheritIO().start();
        begun.add(command.toHandle());
        return command;
    }

    private ProcessHandle program() throws Exception {
        await("started");
        eventually("it has said its number").until(() -> Files.size(notes.resolve("started")) > 0);
        ProcessHandle program = ProcessHandle.of(Long.parseLong(Files.readString(notes.resolve("started"))))
                .orElseThrow();
        begun.add(program);
        return program;
    }

    private void await(String note) throws Exception {
        eventually("there is the note " + note).until(() -> Files.exists(notes.resolve(note)));
    }

    private static void signal(String signal, String whom) throws Exception {
        assertThat(new ProcessBuilder("kill", "-s", signal, "--", whom)
                        .inheritIO()
                        .start()
                        .waitFor())
                .isZero();
    }

    /** A shell lets its background jobs ignore Ctrl-C, and what they start inherits that. */
    private static String interrupt() throws Exception {
        Path status = Path.of("/proc/self/status");
        if (!Files.exists(status)) {
            return "INT";
        }
        String ignored = Files.readString(status, StandardCharsets.ISO_8859_1)
                .lines()
                .filter(line -> line.startsWith("SigIgn:"))
                .findFirst()
                .orElseThrow();
        long bits = Long.parseUnsignedLong(ignored.substring("SigIgn:".length()).strip(), 16);
        return (bits >> 1 & 1) == 1 ? "TERM" : "INT";
    }
}
