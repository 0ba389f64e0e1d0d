package io.meridian.chaos.cli;

import io.meridian.chaos.sim.Simulation;
import io.meridian.chaos.sim.Violation;
import io.meridian.model.time.TimeSource;
import java.io.PrintStream;
import java.time.Duration;
import java.util.function.Consumer;

/** Says every so often how far a long run is, and at once what it has found. Called by one thread at a time. */
final class RunningTotal implements Consumer<Simulation.Result> {
    private static final Duration EVERY = Duration.ofSeconds(10);

    private final long wanted;
    private final PrintStream to;
    private final TimeSource time;
    private final long beganNanos;
    private long saidNanos;
    private long played;
    private long violated;

    RunningTotal(long wanted, PrintStream to, TimeSource time) {
        this.wanted = wanted;
        this.to = to;
        this.time = time;
        this.beganNanos = time.monotonicNanos();
        this.saidNanos = beganNanos;
    }

    @Override
    public void accept(Simulation.Result result) {
        played++;
        Violation violation = result.violation();
        if (violation != null) {
            violated++;
            to.printf("seed %d: %s%n", result.seed(), violation.getMessage());
        }
        long now = time.monotonicNanos();
        if (now - saidNanos >= EVERY.toNanos()) {
            saidNanos = now;
            to.printf(
                    "%,d of %,d histories, %.0f per second, %,d violations%n",
                    played, wanted, played * 1e9 / (now - beganNanos), violated);
        }
    }
}
