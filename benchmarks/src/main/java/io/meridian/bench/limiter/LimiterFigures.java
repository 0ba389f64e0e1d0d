package io.meridian.bench.limiter;

import io.meridian.bench.limiter.Comparison.Median;
import io.meridian.bench.limiter.Comparison.Sample;
import io.meridian.bench.limiter.MeasuredServers.RedisCalls;
import io.meridian.bench.limiter.Stand.LimiterScale;
import io.meridian.testkit.load.LoadResult;
import io.meridian.testkit.load.Workload;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Measures the check endpoint in one run and prints its figures as ratios: over a quarkus-rest endpoint that reads and answers the same
 * and decides nothing (bare), and over that endpoint with Bucket4j in the limiter's place (peer). Everything measured is in one process,
 * and the sides of a ratio take turns in short phases, so that what the machine does meanwhile meets both. The figure that is judged is
 * the CPU of the process per request, because throughput also depends on what else runs; with a large spread there is no verdict.
 */
public final class LimiterFigures {
    private static final String CHECK = Loads.CHECK;
    private static final String BARE = "/api/v1/compared/bare";
    private static final String BARE_THREE = "/api/v1/compared/bare-three";
    private static final String PEER = "/api/v1/compared/peer";
    private static final double P99_MICROS_MAX = 1_000;
    private static final double ALLOCATED_MAX = 5 * 1_024;

    private final MeasuredServers servers;
    private final Stand stand;
    private final LimiterScale scale;
    private final LimiterReport report;
    private final Loads loads;
    private final Workload bare;
    private final Workload hot;
    private final Workload cold;
    private final Workload plain;
    private final Workload peerHot;
    private final Workload peerCold;

    private LimiterFigures(MeasuredServers servers, Stand stand, LimiterScale scale, LimiterReport report) {
        this.servers = servers;
        this.stand = stand;
        this.scale = scale;
        this.report = report;
        this.loads = new Loads(servers::at);
        this.bare = loads.hot("bare", BARE);
        this.hot = loads.hot("check hot", CHECK);
        this.cold = loads.cold("check cold", CHECK);
        this.plain = loads.hot("plain", "/bench/plain");
        this.peerHot = loads.hot("peer hot", PEER);
        this.peerCold = loads.cold("peer cold", PEER);
    }

    public static void main(String[] args) throws IOException {
        List<String> options = Arrays.asList(args);
        boolean cpuOnly = options.contains("--cpu");
        LimiterScale scale = cpuOnly ? LimiterScale.CPU : LimiterScale.FULL;
        run(options.contains("--short") ? LimiterScale.SHORT : scale, cpuOnly, System.out);
    }

    /** @param cpuOnly whether only what a check costs is measured, in about two minutes */
    static void run(LimiterScale scale, boolean cpuOnly, PrintStream out) throws IOException {
        try (MeasuredServers servers = new MeasuredServers();
                Stand stand = new Stand(servers, scale)) {
            LimiterFigures figures = new LimiterFigures(servers, stand, scale, new LimiterReport(out));
            figures.begin();
            if (cpuOnly) {
                figures.checkCost();
                figures.threePolicies();
            } else {
                figures.all();
            }
        }
    }

    private void begin() {
        OperatingSystemMXBean machine = ManagementFactory.getOperatingSystemMXBean();
        report.note("Java " + Runtime.version().feature() + ", " + machine.getAvailableProcessors()
                + " processors, load before the start " + machine.getSystemLoadAverage() + ", all on one machine");
        if (scale.equals(LimiterScale.SHORT)) {
            report.note("A short run: it shows that everything runs, and its figures mean nothing.");
        }
    }

    private void all() throws IOException {
        // All of it first: the endpoints share most of their code, and the first to be measured would pay for compiling
        // it.
        for (Workload load : List.of(bare, hot, cold, plain, peerHot, peerCold)) {
            stand.warmUp(load);
        }
        CheckCost cost = checkCost();
        Comparison warmOverBare = stand.compare(loads.warm("check warm", CHECK), bare);
        report.ratio("check warm / bare", warmOverBare);
        Comparison plainOverBare = stand.compare(plain, bare);
        report.ratio("records through databind / bare", plainOverBare);
        Comparison emptyOverBare = stand.compare(loads.hot("empty", "/bench/empty"), bare);
        report.ratio("empty plain route / bare", emptyOverBare);
        Comparison hotOverPeer = stand.compare(hot, peerHot);
        report.cpuAtMost("check hot / peer hot", hotOverPeer, 0.33);
        Comparison coldOverPeer = stand.compare(cold, peerCold);
        report.cpuAtMost("check cold / peer cold", coldOverPeer, 0.4);
        report.cost("check warm", warmOverBare.subject());
        report.cost("records through databind", plainOverBare.subject());
        report.cost("empty plain route", emptyOverBare.subject());
        report.cost("peer hot", hotOverPeer.baseline());
        report.cost("peer cold", coldOverPeer.baseline());

        latencies(cost.hot, cost.cold);
        redis();
        threePolicies();
        manyPolicies();
    }

    private record CheckCost(Comparison hot, Comparison cold) {}

    /** One policy: the cost of a check beside that of the bare endpoint. */
    private CheckCost checkCost() throws IOException {
        report.title("Per request with one policy, as a ratio; median, lowest and highest of the rounds");
        Comparison hotOverBare = stand.compare(hot, bare);
        report.cpuAtMost("check hot / bare", hotOverBare, 1.0);
        Comparison coldOverBare = stand.compare(cold, scale.coldKeys(), bare);
        report.cpuAtMost("check, cold keys / bare", coldOverBare, 1.2);
        report.cost("bare", hotOverBare.baseline());
        report.cost("check hot", hotOverBare.subject());
        report.cost("check cold", coldOverBare.subject());
        report.numberAtMost(
                "check hot, bytes allocated", Median.of(hotOverBare.subject(), Sample::allocatedBytes), ALLOCATED_MAX);
        return new CheckCost(hotOverBare, coldOverBare);
    }

    private void latencies(Comparison hotOverBare, Comparison coldOverBare) throws IOException {
        report.title("Latency at half of the throughput, from when a request was due");
        double bareRate = Median.of(hotOverBare.baseline(), Sample::perSecond) / 2;
        double hotRate = Median.of(hotOverBare.subject(), Sample::perSecond) / 2;
        double coldRate = Median.of(coldOverBare.subject(), Sample::perSecond) / 2;
        List<LoadResult> bares = new ArrayList<>();
        List<LoadResult> hots = new ArrayList<>();
        List<LoadResult> colds = new ArrayList<>();
        for (int round = 0; round < scale.rounds(); round++) {
            bares.add(stand.latencies(bare, bareRate));
            hots.add(stand.latencies(hot, hotRate));
            colds.add(stand.latencies(cold, coldRate));
        }
        report.latencies("bare", bareRate, bares);
        report.latencies("check hot", hotRate, hots);
        report.latencies("check cold", coldRate, colds);
        report.numberAtMost("check hot, p99 in us", Median.of(hots, round -> round.micros(99)), P99_MICROS_MAX);
        report.numberAtMost("check cold, p99 in us", Median.of(colds, round -> round.micros(99)), P99_MICROS_MAX);
    }

    private void redis() throws IOException {
        report.title("Redis operations per check");
        report.numberAtMost("check of one hot key", operationsPerCheck(loads.single("one key", CHECK)), 0.01);
        report.number("check hot", operationsPerCheck(hot));
        report.number("check cold", operationsPerCheck(cold));
    }

    private double operationsPerCheck(Workload load) throws IOException {
        stand.phase(load);
        RedisCalls before = servers.redisCalls();
        long requests = stand.phase(load).requests();
        return (double) (servers.redisCalls().scripts() - before.scripts()) / requests;
    }

    private void threePolicies() throws IOException {
        report.title("Three policies that apply, as a ratio to as large an answer from bare");
        Workload bareThree = loads.hot("bare", BARE_THREE);
        servers.changePolicies(3);
        report.cpuAtMost("3 policies, check hot / bare", stand.compare(hot, bareThree), 1.1);
        report.cpuAtMost("3 policies, check cold / bare", stand.compare(cold, bareThree), 1.5);
    }

    private void manyPolicies() throws IOException {
        report.title("More policies, of which three apply, as a ratio to as large an answer from bare");
        Workload bareThree = loads.hot("bare", BARE_THREE);
        servers.changePolicies(10);
        Comparison ten = stand.compare(hot, bareThree);
        report.ratio("10 policies, check hot / bare", ten);
        servers.changePolicies(1_000);
        Comparison thousand = stand.compare(hot, bareThree);
        report.ratio("1000 policies, check hot / bare", thousand);
        report.ratio("1000 policies, check cold / bare", stand.compare(cold, bareThree));
        report.cost("3 limits, bare", ten.baseline());
        report.cost("10 policies, check hot", ten.subject());
        report.cost("1000 policies, check hot", thousand.subject());
        report.numberAtMost(
                "CPU of a check, 1000 / 10", thousand.cpu().median() / ten.cpu().median(), 2);
    }
}
