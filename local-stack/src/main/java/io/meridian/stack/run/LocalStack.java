package io.meridian.stack.run;

import static java.util.Comparator.comparing;

import io.meridian.model.time.TimeSource;
import io.meridian.stack.fault.FaultProxies;
import io.meridian.stack.process.ChildProcess;
import io.meridian.stack.process.Loopback;
import io.meridian.stack.process.StartFailure;
import io.meridian.stack.server.ProbeKind;
import io.meridian.stack.topology.PartNames;
import io.meridian.stack.topology.PortPlan;
import io.meridian.stack.topology.Regions;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

/** The running parts of one stack. Starts servers before services, stops in the opposite order. */
final class LocalStack implements AutoCloseable {
    private static final List<ProbeKind> STOP_ORDER =
            List.of(ProbeKind.HTTP, ProbeKind.KAFKA, ProbeKind.REDIS, ProbeKind.POSTGRES);

    private final TimeSource time = TimeSource.system();
    private final List<Part> parts = new CopyOnWriteArrayList<>();
    private final List<String> launched = new CopyOnWriteArrayList<>();
    private final ParallelStart starts = new ParallelStart();
    private final FaultProxies proxies;
    private final Progress progress;
    private volatile boolean stopping;

    LocalStack(PortPlan ports, Progress progress) {
        this.progress = progress;
        this.proxies = proxies(ports);
    }

    private static FaultProxies proxies(PortPlan ports) {
        FaultProxies proxies = null;
        try {
            proxies = FaultProxies.start(ports.of(PartNames.FAULTS));
            for (String place : Regions.PLACES) {
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

    /** Starts these side by side and returns when all are ready; says so whenever one more has a process. */
    void start(List<PartLaunch> launches, Runnable changed) {
        launches.forEach(launch -> launched.add(launch.name()));
        starts.run(launches.stream()
                .<Runnable>map(launch -> () -> start(launch, changed))
                .toList());
    }

    private void start(PartLaunch launch, Runnable changed) {
        long beganNanos = time.monotonicNanos();
        launch.starter().start(part -> {
            parts.add(part);
            changed.run();
        });
        progress.ready(launch.name(), Duration.ofNanos(time.monotonicNanos() - beganNanos));
        parts.stream().filter(part -> part.name().equals(launch.name())).forEach(this::watch);
    }

    private void watch(Part part) {
        CompletableFuture<Void> unused = part.process().onExit().thenAccept(code -> ended(part, code));
    }

    private void ended(Part part, int exitCode) {
        if (!stopping) {
            progress.died(part.name(), exitCode);
        }
    }

    /** What has a process, each kind in the order of its launches; services come first, they are what users talk to. */
    List<PartState> parts() {
        return parts.stream()
                .sorted(comparing((Part part) -> STOP_ORDER.indexOf(part.kind()))
                        .thenComparing(part -> launched.indexOf(part.name())))
                .map(Part::state)
                .toList();
    }

    int faultsPort() {
        return proxies.apiPort();
    }

    @Override
    public void close() {
        stopping = true;
        starts.close();
        for (ProbeKind kind : STOP_ORDER) {
            List<ChildProcess> stopped = parts.stream()
                    .filter(part -> part.kind() == kind)
                    .map(Part::process)
                    .filter(ChildProcess::isAlive)
                    .toList();
            stopped.forEach(ChildProcess::askToStop);
            stopped.forEach(ChildProcess::close);
        }
        proxies.close();
    }
}
