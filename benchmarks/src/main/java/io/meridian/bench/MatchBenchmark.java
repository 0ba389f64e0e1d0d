package io.meridian.bench;

import io.meridian.model.algorithm.CounterState;
import io.meridian.model.decision.Decision;
import io.meridian.model.decision.MultiLimit;
import io.meridian.model.decision.MultiLimit.LimitState;
import io.meridian.model.match.Check;
import io.meridian.model.match.Limit;
import io.meridian.model.match.PolicyIndex;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Finding a request's limits among few and among many policies, and deciding them. Three policies apply however many
 * there are, so that the difference is the cost of those that do not.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class MatchBenchmark {
    @Param({"10", "100", "1000"})
    private int policies = 10;

    private PolicyIndex snapshot = PolicyIndex.compile(List.of(), "us-east");
    private final Check check = new Check(
            Map.of("user_id", "42", "api_key", "k-1", "tenant", "acme"),
            "/api/v1/users",
            "GET",
            Map.of("x-plan", "beta"),
            "free",
            1);
    private long nowMicros = 1_768_474_800_000_000L;

    @Setup
    public void compile() {
        compile(policies);
    }

    void compile(int size) {
        snapshot = PolicyIndex.compile(BenchmarkPolicies.ofSize(size), "us-east");
    }

    @Benchmark
    public List<Limit> match() {
        return snapshot.match(check);
    }

    @Benchmark
    public Decision matchAndDecide() {
        nowMicros += 100;
        List<Limit> limits = snapshot.match(check);
        List<LimitState> charges = new ArrayList<>(limits.size());
        for (Limit limit : limits) {
            charges.add(new LimitState(limit, CounterState.UNTOUCHED));
        }
        return MultiLimit.decide(charges, nowMicros);
    }
}
