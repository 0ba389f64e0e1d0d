package io.meridian.stack.process;

import java.time.Instant;
import java.util.Optional;

/**
 * One process, and no later one that was given the same number.
 *
 * @param startedAtMillis when the process began, or 0 where the system does not tell
 */
public record ProcessIdentity(long pid, long startedAtMillis) {
    public static ProcessIdentity of(ProcessHandle process) {
        return new ProcessIdentity(process.pid(), startOf(process));
    }

    /** The process, unless it has ended. */
    public Optional<ProcessHandle> handle() {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).filter(found -> startOf(found) == startedAtMillis);
    }

    public boolean isAlive() {
        return handle().isPresent();
    }

    private static long startOf(ProcessHandle process) {
        return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    }
}
