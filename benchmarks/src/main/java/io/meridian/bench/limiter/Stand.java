package io.meridian.bench.limiter;

import io.meridian.bench.load.ClosedLoop;
import io.meridian.bench.load.Connections;
import io.meridian.bench.load.Latencies;
import io.meridian.bench.load.Load;
import io.meridian.bench.load.OpenLoop;
import io.meridian.model.time.TimeSource;
import io.meridian.stack.process.Loopback;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Where measuring is done: kept connections to the measured servers, and how much is measured. */
final class Stand implements AutoCloseable {
    private static final int CONNECTIONS = 64;

    /** A phase that is to reach a number of requests gives up on it after so many times the usual duration. */
    private static final int PATIENCE = 20;

    private final MeasuredServers servers;
    private final Connections connections;
    private final Scale scale;
    private final TimeSource time = TimeSource.system();

    Stand(MeasuredServers servers, Scale scale) throws IOException {
        this.servers = servers;
        this.connections = Connections.open(Loopback.at(servers.port()), CONNECTIONS);
        this.scale = scale;
    }

    /** Both sides in turns, each for its time. */
    Comparison compare(Load subject, Load baseline) throws IOException {
        return compare(subject, Long.MAX_VALUE, scale.phase(), baseline);
    }

    /** Both sides in turns; the subject is asked so many times in all. */
    Comparison compare(Load subject, int requests, Load baseline) throws IOException {
        return compare(subject, requests / scale.rounds(), scale.phase().multipliedBy(PATIENCE), baseline);
    }

    private Comparison compare(Load subject, long requestsMax, Duration atMost, Load baseline) throws IOException {
        warmUp(baseline);
        warmUp(subject);
        List<Sample> subjects = new ArrayList<>();
        List<Sample> baselines = new ArrayList<>();
        baselines.add(phase(baseline, Long.MAX_VALUE, scale.phase()));
        for (int round = 0; round < scale.rounds(); round++) {
            subjects.add(phase(subject, requestsMax, atMost));
            baselines.add(phase(baseline, Long.MAX_VALUE, scale.phase()));
        }
        return new Comparison(subjects, baselines);
    }

    /** Long enough for the compilers to have seen it. */
    void warmUp(Load load) throws IOException {
        phase(load, scale.warmUpRequests(), scale.phase().multipliedBy(PATIENCE));
    }

    /** For its time, as fast as it goes. */
    Sample phase(Load load) throws IOException {
        return phase(load, Long.MAX_VALUE, scale.phase());
    }

    private Sample phase(Load load, long requestsMax, Duration atMost) throws IOException {
        Meter before = Meter.read(servers.at("/bench/meter"));
        var throughput = ClosedLoop.run(connections, load, requestsMax, atMost, time);
        return Sample.of(throughput, before, Meter.read(servers.at("/bench/meter")));
    }

    Latencies latencies(Load load, double perSecond) throws IOException {
        return OpenLoop.run(connections, load, perSecond, scale.latencies(), time);
    }

    @Override
    public void close() throws IOException {
        connections.close();
    }
}
