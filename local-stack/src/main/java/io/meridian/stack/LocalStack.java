package io.meridian.stack;

import static java.util.Comparator.comparing;

import io.meridian.model.time.TimeSource;
import io.meridian.stack.faults.FaultProxies;
import io.meridian.stack.process.ChildProcess;
import io.meridian.stack.process.Loopback;
import io.meridian.stack.process.StartFailure;
import io.meridian.stack.servers.ProbeKind;
import io.meridian.stack.plan.PartNames;
import io.meridian.stack.plan.PortPlan;
import io.meridian.stack.plan.Regions;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/** The running parts of one stack. Starts servers before services, stops in the opposite order. */
final class LocalStack implements AutoCloseable {
    private static final List<ProbeKind> STOP_ORDER =
            List.of(ProbeKind.HTTP, ProbeKind.KAFKA, ProbeKind.REDIS, ProbeKind.POSTGRES);

    private final TimeSource time = TimeSource.system();
    /** In the order of their launches. */
    private final List<PartControl> parts = new CopyOnWriteArrayList<>();

    private final ParallelStart starts = new ParallelStart();
    private final PartCalls calls = new PartCalls();
    private final FaultProxies proxies;
    private final Progress progress;
    private volatile boolean stopping;

    LocalStack(List<String> regions, PortPlan ports, Progress progress) {
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

    /** Starts these side by side and returns when all are ready; says so whenever one has another process, also later. */
    void start(List<PartLaunch> launches, Runnable changed) {
        List<PartControl> added = launches.stream()
                .map(launch -> new PartControl(new PartSeat(launch, progress, changed, () -> stopping, time)))
                .toList();
        parts.addAll(added);
        starts.run(added.stream().<Runnable>map(part -> part::begin).toList());
    }

    /** What has had a process, each kind in the order of its launches; services come first, they are what users talk to. */
    List<PartState> parts() {
        return parts.stream()
                .flatMap(part -> part.seat().state().stream())
                .sorted(comparing(part -> STOP_ORDER.indexOf(part.kind())))
                .toList();
    }

    int faultsPort() {
        return proxies.apiPort();
    }

    private Stream<Part> running() {
        return parts.stream().flatMap(part -> part.seat().part().stream()).filter(part -> part.process()
                .isAlive());
    }

    @Override
    public void close() {
        stopping = true;
        starts.close();
        calls.close();
        // What stands still cannot end in order, and others may wait for its answer.
        running().map(Part::process).filter(ChildProcess::isFrozen).forEach(ChildProcess::thaw);
        for (ProbeKind kind : STOP_ORDER) {
            List<ChildProcess> stopped = running()
                    .filter(part -> part.kind() == kind)
                    .map(Part::process)
                    .toList();
            stopped.forEach(ChildProcess::askToStop);
            stopped.forEach(ChildProcess::close);
        }
        proxies.close();
    }
}
