package io.meridian.stack.process;

import io.meridian.model.time.TimeSource;
import io.meridian.stack.process.Probe.ProbeFailure;
import java.time.Duration;

/** Wait for a child to answer, which ends when the child has died or its time is over. */
public final class Readiness {
    private static final Duration PAUSE = Duration.ofMillis(50);

    private final TimeSource time;
    private final Duration deadline;

    public Readiness(TimeSource time, Duration deadline) {
        this.time = time;
        this.deadline = deadline;
    }

    /** Returns when the probe first succeeds. Otherwise stops the child and throws, with the end of its log. */
    public void await(ChildProcess child, Probe probe) {
        try {
            poll(child, probe);
        } catch (InterruptedException e) {
            child.close();
            Thread.currentThread().interrupt();
            throw new StartFailure(child.name() + ": interrupted while waiting for it", e);
        } catch (RuntimeException e) {
            child.close();
            throw e;
        }
    }

    private void poll(ChildProcess child, Probe probe) throws InterruptedException {
        long giveUpNanos = time.monotonicNanos() + deadline.toNanos();
        String lastAnswer = "none";
        do {
            try {
                probe.check();
                return;
            } catch (ProbeFailure e) {
                lastAnswer = String.valueOf(e.getMessage());
            }
            if (child.awaitExit(PAUSE)) {
                throw StartFailure.withLog(
                        child.name() + " ended with code " + child.onExit().join() + " before it was ready.",
                        child.log());
            }
        } while (time.monotonicNanos() < giveUpNanos);
        throw StartFailure.withLog(
                child.name() + " was not ready within " + deadline.toSeconds() + " s (last answer: " + lastAnswer
                        + ").",
                child.log());
    }
}
