package io.meridian.bench;

import io.meridian.model.hash.KeySecret;
import io.meridian.model.match.LimitKeys;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** The keyed hash by which a limit's counter is named, and its shard. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class KeyBenchmark {
    private final LimitKeys keys = new LimitKeys(KeySecret.parse("000102030405060708090a0b0c0d0e0f"));

    @Param({"api_key=k-1", "tenant=acme,user_id=123e4567-e89b-12d3", "user_id=日本語のキー"})
    private String key = "";

    @Benchmark
    public long name() {
        long hash = keys.hash("api-default", key);
        return LimitKeys.shardOf(hash).number() + LimitKeys.counterOf(hash, 2);
    }
}
