package io.meridian.chaos.global;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.stack.fixture.Eventually;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** What may be done to a process that another one has started. */
final class Signals {
    private static final char STOPPED = 'T';

    private Signals() {}

    /** Stops it where it stands, and returns when the system says so: the signal is only on its way when kill returns. */
    static void freeze(ProcessHandle process) throws Exception {
        send("STOP", process);
        Eventually.holds("process " + process.pid() + " stands still", () -> isFrozen(process));
    }

    static void thaw(ProcessHandle process) throws Exception {
        send("CONT", process);
        Eventually.holds("process " + process.pid() + " goes on", () -> !isFrozen(process));
    }

    /** Ends it without warning, and returns when it is gone. */
    static void kill(ProcessHandle process) throws Exception {
        send("KILL", process);
        process.onExit().get(10, TimeUnit.SECONDS);
    }

    static boolean isFrozen(ProcessHandle process) throws Exception {
        return process.isAlive() && state(process) == STOPPED;
    }

    private static void send(String signal, ProcessHandle process) throws Exception {
        int code = new ProcessBuilder("kill", "-s", signal, Long.toString(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
        assertThat(code).as("kill -s %s %d", signal, process.pid()).isZero();
    }

    /** The letter of the process state: after the name in parentheses where there is /proc, else as ps tells it. */
    private static char state(ProcessHandle process) throws Exception {
        Path stat = Path.of("/proc", Long.toString(process.pid()), "stat");
        if (Files.exists(stat)) {
            String line = Files.readString(stat, StandardCharsets.ISO_8859_1);
            return line.charAt(line.lastIndexOf(')') + 2);
        }
        Process ps = new ProcessBuilder("ps", "-o", "stat=", "-p", Long.toString(process.pid())).start();
        String answer = new String(ps.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
        ps.waitFor();
        return answer.isEmpty() ? ' ' : answer.charAt(0);
    }
}
