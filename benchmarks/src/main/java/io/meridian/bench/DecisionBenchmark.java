package io.meridian.bench;

import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.algorithm.CounterState;
import io.meridian.model.algorithm.Outcome;
import io.meridian.model.algorithm.Quota;
import io.meridian.model.algorithm.Window;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * One decision of each algorithm on a counter in use: demand a little above the limit, so that most are admitted, some
 * refused, and old ones expire all the time.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class DecisionBenchmark {
    private static final Quota TERMS = Quota.of(1_000, 0, Window.Span.ofSeconds(1));
    private static final long STEP_MICROS = 900;

    @Param
    private Algorithm algorithm = Algorithm.FIXED_WINDOW;

    private CounterState state = CounterState.UNTOUCHED;
    private long nowMicros = 1_768_474_800_000_000L;

    @Benchmark
    public Outcome decide() {
        nowMicros += STEP_MICROS;
        Outcome outcome = algorithm.decide(state, TERMS, 1, nowMicros);
        state = outcome.next();
        return outcome;
    }
}
