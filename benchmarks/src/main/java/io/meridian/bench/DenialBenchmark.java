package io.meridian.bench;

import io.meridian.model.algorithm.CounterState;
import io.meridian.model.decision.Decision;
import io.meridian.model.decision.MultiLimit;
import io.meridian.model.decision.MultiLimit.LimitState;
import io.meridian.model.match.Limit;
import io.meridian.model.policy.Policy;
import io.meridian.model.wire.PolicyJson;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** A flood of denied requests: one limit is used up, the other an exact log with many entries that would still admit. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class DenialBenchmark {
    private static final long START_MICROS = 1_768_474_800_000_000L;

    @Param({"100", "90000"})
    private int entries = 100;

    private List<LimitState> charges = List.of();
    private long nowMicros = START_MICROS;

    @Setup
    public void fill() {
        Limit log = limit("sliding_window_log", 100_000);
        Limit full = limit("fixed_window", entries);
        charges = List.of(new LimitState(log, CounterState.UNTOUCHED), new LimitState(full, CounterState.UNTOUCHED));
        for (int i = 0; i < entries; i++) {
            deny();
        }
    }

    /** Admitted until the second limit is used up, denied from then on. */
    @Benchmark
    public Decision deny() {
        nowMicros++;
        Decision decision = MultiLimit.decide(charges, nowMicros);
        List<LimitState> next = new ArrayList<>(charges.size());
        for (int i = 0; i < charges.size(); i++) {
            next.add(new LimitState(
                    charges.get(i).limit(), decision.limits().get(i).state()));
        }
        charges = next;
        return decision;
    }

    private static Limit limit(String algorithm, int limit) {
        Policy policy = PolicyJson.read("{\"id\": \"p\", \"key\": [], \"algorithm\": \"" + algorithm + "\", \"limit\": "
                + limit + ", \"window\": \"31d\"}");
        return new Limit(policy, policy.limitSpec().quota(), "", 1, 1);
    }
}
