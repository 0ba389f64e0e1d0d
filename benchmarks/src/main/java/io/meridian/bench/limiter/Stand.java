package io.meridian.bench.limiter;

import io.meridian.bench.limiter.Comparison.Sample;
import io.meridian.bench.limiter.MeasuredServers.Meter;
import io.meridian.model.time.TimeSource;
import io.meridian.testkit.load.LoadGenerator;
import io.meridian.testkit.load.LoadResult;
import io.meridian.testkit.load.Workload;
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
    private final LoadGenerator generator;
    private final LimiterScale scale;

    Stand(MeasuredServers servers, LimiterScale scale) throws IOException {
        this.servers = servers;
        this.generator = LoadGenerator.of(CONNECTIONS, TimeSource.system());
        this.scale = scale;
    }

    /** Both sides in turns, each for its time. */
    Comparison compare(Workload subject, Workload baseline) throws IOException {
        return compare(subject, Long.MAX_VALUE, scale.phase(), baseline);
    }

    /** Both sides in turns; the subject is asked so many times in all. */
    Comparison compare(Workload subject, int requests, Workload baseline) throws IOException {
        return compare(subject, requests / scale.rounds(), scale.phase().multipliedBy(PATIENCE), baseline);
    }

    private Comparison compare(Workload subject, long requestsMax, Duration atMost, Workload baseline)
            throws IOException {
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
    void warmUp(Workload load) throws IOException {
        phase(load, scale.warmUpRequests(), scale.phase().multipliedBy(PATIENCE));
    }

    /** For its time, as fast as it goes. */
    Sample phase(Workload load) throws IOException {
        return phase(load, Long.MAX_VALUE, scale.phase());
    }

    private Sample phase(Workload load, long requestsMax, Duration atMost) throws IOException {
        Meter before = Meter.read(servers.at("/bench/meter"));
        LoadResult result = generator.closed(load, requestsMax, atMost).requireAllAllowed();
        return Sample.of(result, before, Meter.read(servers.at("/bench/meter")));
    }

    LoadResult latencies(Workload load, double perSecond) throws IOException {
        return generator.open(load, perSecond, scale.latencies()).requireAllAllowed();
    }

    @Override
    public void close() throws IOException {
        generator.close();
    }

    /**
     * How much is measured.
     *
     * @param warmUpRequests of either side of a comparison, before it: compilers count calls, not seconds
     * @param phase how long one side runs at a time
     * @param rounds how often the sides of a comparison alternate
     * @param coldKeys how many keys are asked about once, over all rounds
     * @param latencies how long requests are sent at a rate, in each round
     */
    record LimiterScale(int warmUpRequests, Duration phase, int rounds, int coldKeys, Duration latencies) {
        /** For figures. */
        static final LimiterScale FULL =
                new LimiterScale(40_000, Duration.ofMillis(1_500), 5, 1_000_000, Duration.ofSeconds(3));

        /** For the cost of a check alone: more rounds, because a spread needs them, and shorter ones. */
        static final LimiterScale CPU =
                new LimiterScale(40_000, Duration.ofSeconds(1), 7, 210_000, Duration.ofSeconds(1));

        /** For a proof that it runs; what it prints means nothing. */
        static final LimiterScale SHORT =
                new LimiterScale(100, Duration.ofMillis(100), 1, 1_000, Duration.ofMillis(300));
    }
}
