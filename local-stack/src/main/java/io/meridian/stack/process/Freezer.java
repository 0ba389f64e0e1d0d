package io.meridian.stack.process;

import io.meridian.model.time.TimeSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** Takes a process off the processor with SIGSTOP and puts it back with SIGCONT. */
final class Freezer {
    private static final Duration FROZEN_WITHIN = Duration.ofSeconds(10);
    private static final int PAUSE_MILLIS = 1;
    private static final char STOPPED = 'T';
    private static final char ZOMBIE = 'Z';
    private static final char GONE = ' ';

    private Freezer() {}

    /** The signal is only on its way when kill returns, so this waits until the system says that the process has stopped. */
    static void freeze(ProcessHandle process) {
        signal("STOP", process);
        TimeSource time = TimeSource.system();
        long giveUpNanos = time.monotonicNanos() + FROZEN_WITHIN.toNanos();
        try {
            for (char state = state(process); state != STOPPED; state = state(process)) {
                if (state == GONE || state == ZOMBIE) {
                    return;
                }
                if (time.monotonicNanos() > giveUpNanos) {
                    throw new IllegalStateException("process " + process.pid() + " did not stop on SIGSTOP");
                }
                Thread.sleep(PAUSE_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while process " + process.pid() + " stopped", e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether the system reports the process as stopped. */
    static boolean isFrozen(ProcessHandle process) {
        try {
            return state(process) == STOPPED;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void thaw(ProcessHandle process) {
        signal("CONT", process);
    }

    private static void signal(String signal, ProcessHandle process) {
        try {
            int code = new ProcessBuilder("kill", "-s", signal, Long.toString(process.pid()))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
            if (code != 0 && process.isAlive()) {
                throw new IllegalStateException("kill -s " + signal + " " + process.pid() + " ended with code " + code);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while sending SIG" + signal, e);
        }
    }

    /** The letter of the process state: after the name in parentheses where there is /proc, else as ps tells it. */
    private static char state(ProcessHandle process) throws IOException, InterruptedException {
        Path stat = Path.of("/proc", Long.toString(process.pid()), "stat");
        if (Files.exists(stat)) {
            return state(stat, process);
        }
        Process ps = new ProcessBuilder("ps", "-o", "stat=", "-p", Long.toString(process.pid())).start();
        String answer = new String(ps.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
        ps.waitFor();
        return answer.isEmpty() ? GONE : answer.charAt(0);
    }

    private static char state(Path stat, ProcessHandle process) throws IOException {
        try {
            String line = Files.readString(stat, StandardCharsets.ISO_8859_1);
            return line.charAt(line.lastIndexOf(')') + 2);
        } catch (IOException e) {
            if (process.isAlive()) {
                throw e;
            }
            return GONE;
        }
    }
}
