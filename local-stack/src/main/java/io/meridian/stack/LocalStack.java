package io.meridian.stack;

import static java.util.Comparator.comparing;

import io.meridian.model.time.TimeSource;
import io.meridian.stack.ManagedPart.PartLaunch;
import io.meridian.stack.ManagedPart.StartedPart;
import io.meridian.stack.PartRoutes.PartCalls;
import io.meridian.stack.StackState.PartState;
import io.meridian.stack.Supervisor.StackProgress;
import io.meridian.stack.faults.FaultProxies;
import io.meridian.stack.plan.PartNames;
import io.meridian.stack.plan.PortPlan;
import io.meridian.stack.plan.Regions;
import io.meridian.stack.process.ChildProcess;
import io.meridian.stack.process.Loopback;
import io.meridian.stack.process.StartFailure;
import io.meridian.stack.servers.ProbeKind;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletionService;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Running parts of one stack. Starts servers before services, stops in the opposite order. */
final class LocalStack implements AutoCloseable {
    private static final List<ProbeKind> STOP_ORDER =
            List.of(ProbeKind.HTTP, ProbeKind.KAFKA, ProbeKind.REDIS, ProbeKind.POSTGRES);

    private final TimeSource time = TimeSource.system();
    /** In the order of their launches. */
    private final List<ManagedPart> parts = new CopyOnWriteArrayList<>();

    private final ParallelStart starts = new ParallelStart();
    private final PartCalls calls = new PartCalls();
    private final FaultProxies proxies;
    private final StackProgress progress;
    private volatile boolean stopping;

    LocalStack(List<String> regions, PortPlan ports, StackProgress progress) {
        this.progress = progress;
        this.proxies = proxies(Regions.places(regions), ports, new PartRoutes(parts, calls));
    }

    private static FaultProxies proxies(List<String> places, PortPlan ports, PartRoutes routes) {
        FaultProxies proxies = null;
        try {
            proxies = FaultProxies.start(ports.of(PartNames.FAULTS), routes);
            for (String place : places) {
                proxies.add(
                        PartNames.kafka(place),
                        Loopback.at(ports.of(PartNames.kafka(place))),
                        Loopback.at(ports.of(PartNames.kafkaBroker(place))));
            }
            return proxies;
        } catch (IOException e) {
            if (proxies != null) {
                proxies.close();
            }
            throw new StartFailure("The fault proxies cannot be started: " + e.getMessage(), e);
        }
    }

    /** Starts these side by side and returns when all are ready; calls {@code changed} whenever one has another process, also later. */
    void start(List<PartLaunch> launches, Runnable changed) {
        List<ManagedPart> added = launches.stream()
                .map(launch -> new ManagedPart(launch, progress, changed, () -> stopping, time))
                .toList();
        parts.addAll(added);
        starts.run(added.stream().<Runnable>map(part -> part::begin).toList());
    }

    /** Every part that has had a process, each kind in the order of its launches; services come first, they are what users talk to. */
    List<PartState> parts() {
        return parts.stream()
                .flatMap(part -> part.state().stream())
                .sorted(comparing(part -> STOP_ORDER.indexOf(part.kind())))
                .toList();
    }

    int faultsPort() {
        return proxies.apiPort();
    }

    private Stream<StartedPart> running() {
        return parts.stream().flatMap(part -> part.started().stream()).filter(part -> part.process()
                .isAlive());
    }

    @Override
    public void close() {
        stopping = true;
        starts.close();
        calls.close();
        // A frozen process cannot end in order, and others may wait for its answer.
        running().map(StartedPart::process).filter(ChildProcess::isFrozen).forEach(ChildProcess::thaw);
        for (ProbeKind kind : STOP_ORDER) {
            List<ChildProcess> stopped = running()
                    .filter(part -> part.kind() == kind)
                    .map(StartedPart::process)
                    .toList();
            stopped.forEach(ChildProcess::askToStop);
            stopped.forEach(ChildProcess::close);
        }
        proxies.close();
    }

    /** Starts parts side by side, a few more than the machine has cores: a starting part also waits. */
    static final class ParallelStart implements AutoCloseable {
        private static final int STOP_SECONDS_MAX = 30;

        private final ExecutorService workers =
                Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors() + 1);

        /** Returns when all are done; the first that fails ends the others and is thrown. */
        void run(List<Runnable> starts) {
            CompletionService<Void> running = new ExecutorCompletionService<>(workers);
            try {
                starts.forEach(start -> running.submit(start, null));
                for (int done = 0; done < starts.size(); done++) {
                    running.take().get();
                }
            } catch (ExecutionException e) {
                close();
                throw e.getCause() instanceof StartFailure failure
                        ? failure
                        : new StartFailure("Unexpected: " + e.getCause(), e);
            } catch (InterruptedException e) {
                close();
                Thread.currentThread().interrupt();
                throw new StartFailure("interrupted", e);
            } catch (RejectedExecutionException e) {
                throw new StartFailure("stopped during the start", e);
            }
        }

        /** A second interrupt would reach those that are stopping in order what they had begun. */
        private synchronized void interruptOnce() {
            if (!workers.isShutdown()) {
                workers.shutdownNow();
            }
        }

        /** Ends what is still starting; each start takes its own process down with it. */
        @Override
        public void close() {
            interruptOnce();
            try {
                workers.awaitTermination(STOP_SECONDS_MAX, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
