package io.meridian.stack.process;

import java.time.Instant;
import java.util.Optional;

/**
 * One process, and no later one that was given the same number.
 *
 * @param startedAtMillis when the process began, or 0 where the system does not tell
 */
public record ProcessIdentity(long pid, long startedAtMillis) {
    /** The system reckons a process's start from its own, and that moves when the wall clock is set. */
    private static final long CLOCK_STEP_MILLIS_MAX = 60_000;

    public static ProcessIdentity of(ProcessHandle process) {
        return new ProcessIdentity(process.pid(), startOf(process));
    }

    /** The process, unless it has ended. */
    public Optional<ProcessHandle> handle() {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).filter(this::beganWhenThisDid);
    }

    public boolean isAlive() {
        return handle().isPresent();
    }

    /** Whether it lives and stands still: SIGSTOP has been sent to it. */
    public boolean isFrozen() {
        return handle().filter(Freezer::isFrozen).isPresent();
    }

    private boolean beganWhenThisDid(ProcessHandle found) {
        return Math.abs(startOf(found) - startedAtMillis) <= CLOCK_STEP_MILLIS_MAX;
    }

    private static long startOf(ProcessHandle process) {
        return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    }
}
