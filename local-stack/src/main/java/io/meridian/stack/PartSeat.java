package io.meridian.stack;

import io.meridian.model.time.TimeSource;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The place of one part in a stack: who fills it now, and how it comes to be filled again with the same settings. */
final class PartSeat {
    private final PartLaunch launch;
    private final Progress progress;
    private final Runnable changed;
    private final BooleanSupplier stopping;
    private final TimeSource time;
    private volatile @Nullable Part part;
    /** Who was asked to go; a later one in the same place was not. */
    private volatile @Nullable Part dismissed;

    /**
     * A place that is empty until it is started.
     *
     * @param changed is called whenever another process fills it, or none any more
     * @param stopping whether the whole stack ends, so that no end of a part is worth a word
     */
    PartSeat(PartLaunch launch, Progress progress, Runnable changed, BooleanSupplier stopping, TimeSource time) {
        this.launch = launch;
        this.progress = progress;
        this.changed = changed;
        this.stopping = stopping;
        this.time = time;
    }

    String name() {
        return launch.name();
    }

    /** Who was started last, dead or alive. */
    Optional<Part> part() {
        return Optional.ofNullable(part);
    }

    Optional<PartState> state() {
        return part().map(last -> last.state(last.equals(dismissed)));
    }

    boolean isAlive() {
        return part().filter(last -> last.process().isAlive()).isPresent();
    }

    /** Returns when the part is ready; says so as soon as it has a process. */
    void start() {
        long beganNanos = time.monotonicNanos();
        launch.starter().start(forked -> {
            part = forked;
            changed.run();
        });
        progress.ready(name(), Duration.ofNanos(time.monotonicNanos() - beganNanos));
        part().ifPresent(this::watch);
    }

    private void watch(Part started) {
        CompletableFuture<Void> unused = started.process().onExit().thenAccept(code -> ended(started, code));
    }

    private void ended(Part started, int exitCode) {
        if (!started.equals(dismissed) && !stopping.getAsBoolean()) {
            progress.died(name(), exitCode);
        }
    }

    void kill() {
        part().ifPresent(last -> {
            dismiss(last, "killed");
            last.process().kill();
            changed.run();
        });
    }

    /** What stands still cannot end in order, so it is thawed. */
    void stop() {
        part().ifPresent(last -> {
            dismiss(last, "stopped");
            last.process().thaw();
            last.process().close();
            changed.run();
        });
    }

    private void dismiss(Part last, String how) {
        dismissed = last;
        progress.told(name() + " is " + how + " by a drill");
    }
}
