package io.meridian.stack.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.model.time.TimeSource;
import io.meridian.stack.process.Probe.ProbeFailure;
import io.meridian.stack.process.StartFailure.LogTail;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(600)
class GuardTest {
    private final Path folder;

    GuardTest(@TempDir Path folder) {
        this.folder = folder;
    }

    @Test
    void a_child_ends_when_its_launcher_is_killed() throws Exception {
        Process launcher = launch("exec sleep 600");
        ProcessHandle child = childOf(launcher);

        launcher.destroyForcibly();

        assertEnds(child);
    }

    @Test
    void a_child_that_ignores_the_signal_is_killed_after_its_grace() throws Exception {
        Process launcher = launch("trap '' TERM; echo deaf; while :; do sleep 0.2; done");
        ProcessHandle child = childOf(launcher);
        awaitLog("deaf");

        launcher.destroyForcibly();

        assertEnds(child);
    }

    /** The negative control: without the guard the child stays. */
    @Test
    void a_child_without_a_guard_outlives_its_launcher() throws Exception {
        Process launcher = new ProcessBuilder("sh", "-c", "sleep 600 & echo $!; wait").start();
        ProcessHandle child = childOf(launcher);

        try {
            launcher.destroyForcibly().waitFor();

            assertThat(child.isAlive()).isTrue();
        } finally {
            child.destroyForcibly();
        }
    }

    @Test
    void closing_stops_the_child_by_its_signal() {
        ChildCommand command = shell("trap 'exit 7' USR1; echo listening; while :; do sleep 0.1; done");
        ChildProcess child = ChildProcess.start(command.withStopSignal("USR1"));
        new Readiness(TimeSource.system(), Duration.ofMinutes(2)).await(child, () -> logSays("listening"));

        child.close();

        assertThat(child.onExit().join()).isEqualTo(7);
    }

    @Test
    void the_exit_code_of_the_child_is_passed_on() {
        ChildProcess child = ChildProcess.start(shell("exit 3"));

        assertThat(child.onExit().join()).isEqualTo(3);
    }

    @Test
    void a_child_that_dies_early_is_reported_with_the_end_of_its_log() {
        ChildProcess child = ChildProcess.start(shell("echo cannot bind; sleep 0.2; exit 1"));
        Readiness readiness = new Readiness(TimeSource.system(), Duration.ofMinutes(2));

        assertThatThrownBy(() -> readiness.await(child, GuardTest::never))
                .isInstanceOf(StartFailure.class)
                .hasMessageContaining("sh ended with code 1")
                .hasMessageContaining("| cannot bind");
    }

    @Test
    void a_child_that_never_answers_is_stopped_and_reported() {
        ChildProcess child = ChildProcess.start(shell("exec sleep 600"));
        Readiness readiness = new Readiness(TimeSource.system(), Duration.ofMillis(200));

        assertThatThrownBy(() -> readiness.await(child, GuardTest::never))
                .isInstanceOf(StartFailure.class)
                .hasMessageContaining("was not ready within")
                .hasMessageContaining("last answer: no");
        assertThat(child.isAlive()).isFalse();
    }

    private static void never() throws ProbeFailure {
        throw new ProbeFailure("no");
    }

    private static void assertEnds(ProcessHandle child) throws Exception {
        try {
            child.onExit().get(120, TimeUnit.SECONDS);
        } finally {
            child.destroyForcibly();
        }
    }

    private void awaitLog(String line) throws Exception {
        for (int tries = 0; tries < 2_400; tries++) {
            try {
                logSays(line);
                return;
            } catch (ProbeFailure e) {
                Thread.sleep(50);
            }
        }
        logSays(line);
    }

    private void logSays(String line) throws ProbeFailure {
        if (!LogTail.of(folder.resolve("child.log")).contains(line)) {
            throw new ProbeFailure("not yet");
        }
    }

    private ChildCommand shell(String script) {
        return ChildCommand.of("sh", List.of("sh", "-c", script), folder.resolve("child.log"));
    }

    private Process launch(String script) throws Exception {
        return new ProcessBuilder(
                        Executables.java().toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        LauncherMain.class.getName(),
                        Files.createDirectories(folder).resolve("child.log").toString(),
                        script)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static ProcessHandle childOf(Process launcher) throws Exception {
        BufferedReader out =
                new BufferedReader(new InputStreamReader(launcher.getInputStream(), StandardCharsets.UTF_8));
        return ProcessHandle.of(Long.parseLong(out.readLine())).orElseThrow();
    }
}
