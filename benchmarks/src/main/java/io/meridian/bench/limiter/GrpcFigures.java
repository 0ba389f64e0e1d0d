package io.meridian.bench.limiter;

import io.meridian.bench.limiter.MeasuredServers.Meter;
import io.meridian.bench.limiter.Stand.LimiterScale;
import io.meridian.model.time.TimeSource;
import io.meridian.testkit.load.Keys;
import io.meridian.testkit.load.LoadGenerator;
import io.meridian.testkit.load.Workload;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/**
 * Measures what a call of Envoy's rate limit service costs the process, as a ratio to the same check over HTTP, in one run on one process.
 * Both take turns in short phases; the figure of a round is its gRPC phase over the mean of the HTTP phases around it, and the median of
 * the rounds counts, with its spread beside it.
 */
public final class GrpcFigures {
    private static final int CLIENTS = 64;
    private static final int KEYS = 10_000;
    private static final long SEED = 20_260_101L;
    private static final double HOT_MAX = 1.1;
    private static final int PATIENCE = 20;

    private final MeasuredServers servers;
    private final LoadGenerator http;
    private final GrpcLoad grpc;
    private final LimiterScale scale;
    private final PrintStream out;

    private GrpcFigures(
            MeasuredServers servers, LoadGenerator http, GrpcLoad grpc, LimiterScale scale, PrintStream out) {
        this.servers = servers;
        this.http = http;
        this.grpc = grpc;
        this.scale = scale;
        this.out = out;
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        run(Arrays.asList(args).contains("--short") ? LimiterScale.SHORT : LimiterScale.FULL, System.out);
    }

    static void run(LimiterScale scale, PrintStream out) throws IOException, InterruptedException {
        try (MeasuredServers servers = new MeasuredServers();
                LoadGenerator http = LoadGenerator.of(CLIENTS, TimeSource.system());
                GrpcLoad grpc = new GrpcLoad(servers.at("/"))) {
            new GrpcFigures(servers, http, grpc, scale, out).run();
        }
    }

    private void run() throws IOException, InterruptedException {
        if (scale.equals(LimiterScale.SHORT)) {
            out.println("A short run: it shows that everything runs, and its figures mean nothing.");
        }
        Loads loads = new Loads(servers::at);
        // One counter of keys for both: no key is cold twice.
        Keys fresh = Keys.fresh(10L * scale.coldKeys());
        compare("hot keys", loads.hot("check hot", Loads.CHECK), Keys.zipf(KEYS, SEED), HOT_MAX);
        compare("cold keys", loads.cold("check cold", Loads.CHECK), fresh, 0);
    }

    /** @param most the ratio that is wanted, 0 if none is */
    private void compare(String name, Workload overHttp, Keys keys, double most)
            throws IOException, InterruptedException {
        var patience = scale.phase().multipliedBy(PATIENCE);
        http.closed(overHttp, scale.warmUpRequests(), patience).requireAllAllowed();
        grpc.run(keys, scale.warmUpRequests(), patience);
        List<Cost> baselines = new ArrayList<>();
        List<Cost> subjects = new ArrayList<>();
        baselines.add(costOverHttp(overHttp));
        for (int round = 0; round < scale.rounds(); round++) {
            subjects.add(costOverGrpc(keys));
            baselines.add(costOverHttp(overHttp));
        }
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < subjects.size(); i++) {
            double around = (baselines.get(i).cpuMicros() + baselines.get(i + 1).cpuMicros()) / 2;
            ratios.add(subjects.get(i).cpuMicros() / around);
        }
        Collections.sort(ratios);
        double ratio = ratios.get(ratios.size() / 2);
        print("%s", name);
        print("  check over HTTP  %s", Cost.median(baselines));
        print("  check over gRPC  %s", Cost.median(subjects));
        print(
                "  gRPC / HTTP by CPU of the process %.2f (%.2f to %.2f over %d rounds)%s",
                ratio,
                ratios.get(0),
                ratios.get(ratios.size() - 1),
                ratios.size(),
                most == 0
                        ? ""
                        : String.format(Locale.ROOT, ", at most %.1f: %s", most, ratio <= most ? "met" : "NOT MET"));
    }

    private Cost costOverHttp(Workload load) throws IOException {
        Meter before = Meter.read(servers.at("/bench/meter"));
        long requests = http.closed(load, Long.MAX_VALUE, scale.phase())
                .requireAllAllowed()
                .requests();
        return Cost.of(requests, before, Meter.read(servers.at("/bench/meter")));
    }

    private Cost costOverGrpc(Keys keys) throws IOException, InterruptedException {
        Meter before = Meter.read(servers.at("/bench/meter"));
        long requests = grpc.run(keys, Long.MAX_VALUE, scale.phase());
        return Cost.of(requests, before, Meter.read(servers.at("/bench/meter")));
    }

    private void print(String format, Object... values) {
        out.println(String.format(Locale.ROOT, format, values));
    }

    /** Cost of one check to the measured process, over one phase. */
    private record Cost(long checks, double cpuMicros, double allocatedBytes) {
        static Cost of(long checks, Meter before, Meter after) {
            return new Cost(
                    checks,
                    (after.cpuNanos() - before.cpuNanos()) / 1_000.0 / checks,
                    (double) (after.allocatedBytes() - before.allocatedBytes()) / checks);
        }

        static Cost median(List<Cost> costs) {
            List<Cost> sorted = new ArrayList<>(costs);
            sorted.sort((one, other) -> Double.compare(one.cpuMicros, other.cpuMicros));
            return sorted.get(sorted.size() / 2);
        }

        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT, "%6.1f us of CPU, %,8.0f B, %,d checks a phase", cpuMicros, allocatedBytes, checks);
        }
    }
}
