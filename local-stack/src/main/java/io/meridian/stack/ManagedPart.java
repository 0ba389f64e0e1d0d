package io.meridian.stack;

import static java.util.stream.Collectors.joining;

import io.meridian.model.time.TimeSource;
import io.meridian.stack.ManagedPart.PartVerb;
import io.meridian.stack.ManagedPart.StartedPart;
import io.meridian.stack.StackState.PartState;
import io.meridian.stack.Supervisor.StackProgress;
import io.meridian.stack.faults.FaultRefusal;
import io.meridian.stack.process.ChildProcess;
import io.meridian.stack.process.StartFailure;
import io.meridian.stack.servers.ProbeKind;
import io.meridian.stack.servers.RedisServer;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One part of a stack over its processes: starts it with the settings of its launch, ends it, and starts it again. One operation at a time;
 * an operation that makes no sense in the part's present state is refused.
 */
final class ManagedPart {
    /** Longer than any start may take. */
    private static final int TURN_SECONDS_MAX = 240;

    private final PartLaunch launch;
    private final StackProgress progress;
    private final Runnable changed;
    private final BooleanSupplier stopping;
    private final TimeSource time;
    private final ReentrantLock busy = new ReentrantLock();
    private volatile @Nullable StartedPart part;
    /** The process that was asked to end; a later one of the same part was not. */
    private volatile @Nullable StartedPart dismissed;

    /**
     * A part that is not started yet.
     *
     * @param changed called whenever the part has another process, or none any more
     * @param stopping whether the whole stack ends, so that no end of a part is reported
     */
    ManagedPart(
            PartLaunch launch, StackProgress progress, Runnable changed, BooleanSupplier stopping, TimeSource time) {
        this.launch = launch;
        this.progress = progress;
        this.changed = changed;
        this.stopping = stopping;
        this.time = time;
    }

    String name() {
        return launch.name();
    }

    /** Last started process, dead or alive. */
    Optional<StartedPart> started() {
        return Optional.ofNullable(part);
    }

    Optional<PartState> state() {
        return started().map(last -> last.state(last.equals(dismissed)));
    }

    boolean isAlive() {
        return started().filter(last -> last.process().isAlive()).isPresent();
    }

    /** The start that comes with the stack's own. */
    void begin() {
        busy.lock();
        try {
            launch();
        } finally {
            busy.unlock();
        }
    }

    /**
     * Returns when it is done.
     *
     * @throws FaultRefusal when it cannot be done to this part, or not in its present state
     */
    void perform(PartVerb verb) throws InterruptedException {
        if (!busy.tryLock(TURN_SECONDS_MAX, TimeUnit.SECONDS)) {
            throw FaultRefusal.of(409, name() + " is busy, cannot " + verb.word());
        }
        try {
            switch (verb) {
                case KILL -> kill(requireAlive(verb));
                case STOP -> stop(requireAlive(verb));
                case START -> start();
                case RESTART -> restart();
                case FREEZE -> requireAlive(verb).process().freeze();
                case THAW -> requireAlive(verb).process().thaw();
                case WIPE -> wipe();
            }
        } catch (StartFailure failed) {
            throw FaultRefusal.of(500, String.valueOf(failed.getMessage()));
        } finally {
            busy.unlock();
        }
    }

    private StartedPart requireAlive(PartVerb verb) {
        return started()
                .filter(last -> last.process().isAlive())
                .orElseThrow(() -> FaultRefusal.of(409, name() + " does not run, cannot " + verb.word()));
    }

    private void start() {
        if (isAlive()) {
            throw FaultRefusal.of(409, name() + " runs, cannot start");
        }
        launch();
    }

    private void restart() {
        if (isAlive()) {
            stop(requireAlive(PartVerb.RESTART));
        }
        launch();
    }

    /** Returns when the part is ready; reports it as soon as it has a process. */
    private void launch() {
        long beganNanos = time.monotonicNanos();
        launch.starter().start(forked -> {
            part = forked;
            changed.run();
        });
        progress.ready(name(), Duration.ofNanos(time.monotonicNanos() - beganNanos));
        started().ifPresent(this::watch);
    }

    private void watch(StartedPart started) {
        CompletableFuture<Void> unused = started.process().onExit().thenAccept(code -> ended(started, code));
    }

    private void ended(StartedPart started, int exitCode) {
        if (!started.equals(dismissed) && !stopping.getAsBoolean()) {
            progress.died(name(), exitCode);
        }
    }

    private void kill(StartedPart last) {
        dismiss(last, "killed");
        last.process().kill();
        changed.run();
    }

    /** A frozen process cannot end in order, so it is thawed. */
    private void stop(StartedPart last) {
        dismiss(last, "stopped");
        last.process().thaw();
        last.process().close();
        changed.run();
    }

    private void dismiss(StartedPart last, String how) {
        dismissed = last;
        progress.note(name() + " is " + how + " by a drill");
    }

    private void wipe() {
        StartedPart redis = started()
                .filter(each -> each.kind() == ProbeKind.REDIS)
                .orElseThrow(() -> FaultRefusal.of(400, "only a Redis can be wiped, got " + name()));
        requireAlive(PartVerb.WIPE);
        try {
            RedisServer.wipe(Integer.parseInt(redis.target()));
        } catch (IOException failed) {
            throw FaultRefusal.of(409, name() + " cannot be wiped: " + failed.getMessage());
        }
    }

    /** Process of a part with what is shown and probed of it. */
    record StartedPart(String name, String address, ChildProcess process, ProbeKind kind, String target) {
        /** @param stopped whether it does not run because somebody asked for that */
        PartState state(boolean stopped) {
            return new PartState(name, address, process.identity(), kind, target, stopped);
        }
    }

    /**
     * A part that can be started.
     *
     * @param starter returns when the part is ready, or throws and leaves nothing behind
     */
    record PartLaunch(String name, Starter starter) {
        /** Starts one part, and reports it as soon as it has a process. */
        @FunctionalInterface
        interface Starter {
            void start(Consumer<StartedPart> forked);
        }
    }

    /** Operation on a part of a running stack. */
    enum PartVerb {
        /** Ends it without warning. */
        KILL,
        /** Ends it in order; what does not end within its grace is killed. */
        STOP,
        /** Starts one that does not run with the settings it had, and waits until it is ready. */
        START,
        /** Ends it in order if it runs, then starts it. */
        RESTART,
        /** Takes it off the processor: its sockets stay open and nobody answers. */
        FREEZE,
        THAW,
        /** Takes all data from a Redis, which goes on running. */
        WIPE;

        static PartVerb of(String word) {
            return Arrays.stream(values())
                    .filter(verb -> verb.word().equals(word))
                    .findFirst()
                    .orElseThrow(() -> FaultRefusal.of(400, "verb must be one of " + words() + ", got " + word));
        }

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        boolean starts() {
            return this == START || this == RESTART;
        }

        private static String words() {
            return Arrays.stream(values()).map(PartVerb::word).collect(joining(", "));
        }
    }
}
