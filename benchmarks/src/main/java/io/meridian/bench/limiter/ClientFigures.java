package io.meridian.bench.limiter;

import io.meridian.client.CheckDecision;
import io.meridian.client.CheckDecision.Source;
import io.meridian.client.CheckRequest;
import io.meridian.client.ClientListener;
import io.meridian.client.MeridianClient;
import io.meridian.model.time.TimeSource;
import io.meridian.testkit.load.Keys;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;

/**
 * Measures the Java client on one limiter with its own Redis: calls per check and the time of a decision, leased and remote, for keys of a
 * Zipf distribution and for one key. Client, limiter and Redis share the machine; the calls per check and the time of a decision in memory
 * depend on that least.
 */
public final class ClientFigures {
    private static final int KEYS = 10_000;
    private static final long SEED = 20_260_101L;
    private static final int THREADS = 64;
    private static final double CALLS_MAX = 0.02;
    private static final double DECISION_MICROS_MAX = 1;

    private final MeasuredServers servers;
    private final LimiterReport report;
    private final Duration phase;
    private final int rounds;

    private ClientFigures(MeasuredServers servers, LimiterReport report, boolean brief) {
        this.servers = servers;
        this.report = report;
        this.phase = brief ? Duration.ofMillis(300) : Duration.ofSeconds(5);
        this.rounds = brief ? 1 : 3;
    }

    public static void main(String[] args) throws IOException {
        run(Arrays.asList(args).contains("--short"), System.out);
    }

    static void run(boolean brief, PrintStream out) throws IOException {
        LimiterReport report = new LimiterReport(out);
        report.note("Java " + Runtime.version().feature() + ", "
                + ManagementFactory.getOperatingSystemMXBean().getAvailableProcessors()
                + " processors, load before the start "
                + ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage()
                + ", client, limiter and Redis on one machine");
        if (brief) {
            report.note("A short run: it shows that everything runs, and its figures mean nothing.");
        }
        try (MeasuredServers servers = new MeasuredServers()) {
            new ClientFigures(servers, report, brief).run();
        }
    }

    private void run() {
        // Both first: the mode that is measured first would else pay for compiling limiter and client.
        measure(false, KEYS);
        measure(true, KEYS);
        for (boolean leasing : List.of(false, true)) {
            String mode = leasing ? "leased" : "remote";
            figures(mode + ", Zipf over " + KEYS + " keys, " + THREADS + " threads", leasing, KEYS);
            figures(mode + ", one key, " + THREADS + " threads", leasing, 1);
        }
    }

    private void figures(String name, boolean leasing, int keys) {
        report.title(name);
        List<Phase> phases = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            phases.add(measure(leasing, keys));
        }
        phases.sort((a, b) -> Double.compare(a.callsPerCheck(), b.callsPerCheck()));
        Phase median = phases.get(rounds / 2);
        report.number("checks a second", median.perSecond());
        if (leasing) {
            report.numberAtMost("calls per check", median.callsPerCheck(), CALLS_MAX);
            report.number("share decided by leases", median.leaseShare());
            report.numberAtMost("decision by a lease, p50 in us", median.micros(50), DECISION_MICROS_MAX);
            report.number("decision by a lease, p99 in us", median.micros(99));
            report.number("units returned per unit leased", median.returnedShare());
            report.number("units lost per unit leased", median.lostShare());
        } else {
            report.number("calls per check", median.callsPerCheck());
            report.number("check, p50 in us", median.micros(50));
            report.number("check, p99 in us", median.micros(99));
        }
        report.number("undecided checks", median.undecided());
    }

    private Phase measure(boolean leasing, int keys) {
        Counts counts = new Counts();
        Histogram nanos = new Histogram(TimeUnit.MINUTES.toNanos(1), 3);
        LongAdder checks = new LongAdder();
        try (MeridianClient client = MeridianClient.builder()
                .limiter(servers.at(""))
                .timeout(Duration.ofSeconds(10))
                .connectTimeout(Duration.ofSeconds(10))
                .leasing(leasing)
                .listener(counts)
                .build()) {
            ExecutorService pool = Executors.newFixedThreadPool(THREADS);
            List<CompletableFuture<Histogram>> running = new ArrayList<>();
            long until = TimeSource.system().monotonicNanos() + phase.toNanos();
            for (int i = 0; i < THREADS; i++) {
                Keys drawn = keys == 1 ? Keys.one(0) : Keys.zipf(keys, SEED + i);
                running.add(CompletableFuture.supplyAsync(() -> load(client, leasing, drawn, until, checks), pool));
            }
            running.forEach(each -> nanos.add(each.join()));
            pool.shutdown();
        }
        return new Phase(checks.sum(), phase.toNanos(), counts, nanos);
    }

    private static Histogram load(
            MeridianClient client, boolean leasing, Keys keys, long untilNanos, LongAdder checks) {
        TimeSource time = TimeSource.system();
        Histogram nanos = new Histogram(TimeUnit.MINUTES.toNanos(1), 3);
        CheckRequest[] requests = new CheckRequest[KEYS];
        long before = time.monotonicNanos();
        while (before < untilNanos) {
            int key = (int) keys.next();
            CheckRequest request = requests[key];
            if (request == null) {
                request = request(key);
                requests[key] = request;
            }
            before = time.monotonicNanos();
            CheckDecision decision = client.check(request);
            long after = time.monotonicNanos();
            checks.increment();
            if (!leasing || decision.source() == Source.CLIENT_LEASE) {
                nanos.recordValue(after - before);
            }
            before = after;
        }
        return nanos;
    }

    private static CheckRequest request(int key) {
        return CheckRequest.builder()
                .attribute("user_id", "u" + key)
                .attribute("api_key", "k-" + key)
                .attribute("tenant", "acme")
                .endpoint("/api/v1/users")
                .method("GET")
                .header("x-plan", "beta")
                .build();
    }

    /** Result of one phase. */
    private record Phase(long checks, long nanos, Counts counts, Histogram times) {
        double perSecond() {
            return checks * 1e9 / nanos;
        }

        double callsPerCheck() {
            return (double) counts.calls.sum() / checks;
        }

        double leaseShare() {
            return (double) counts.byLease.sum() / checks;
        }

        double undecided() {
            return counts.undecided.sum();
        }

        double returnedShare() {
            return (double) counts.returned.sum() / Math.max(1, counts.leased.sum());
        }

        double lostShare() {
            return (double) counts.lost.sum() / Math.max(1, counts.leased.sum());
        }

        double micros(double percentile) {
            return times.getTotalCount() == 0 ? 0 : times.getValueAtPercentile(percentile) / 1e3;
        }
    }

    /** Counts of a client's listener. */
    private static final class Counts implements ClientListener {
        private final LongAdder byLease = new LongAdder();
        private final LongAdder undecided = new LongAdder();
        private final LongAdder calls = new LongAdder();
        private final LongAdder leased = new LongAdder();
        private final LongAdder returned = new LongAdder();
        private final LongAdder lost = new LongAdder();

        @Override
        public void decided(CheckDecision decision) {
            if (decision.source() == Source.CLIENT_LEASE) {
                byLease.increment();
            } else if (decision.source() == Source.UNAVAILABLE) {
                undecided.increment();
            }
        }

        @Override
        public void called(Call call, int status, long nanos) {
            calls.increment();
        }

        @Override
        public void leased(long units) {
            leased.add(units);
        }

        @Override
        public void returned(long units) {
            returned.add(units);
        }

        @Override
        public void lost(long units) {
            lost.add(units);
        }
    }
}
