package io.meridian.limiter.redis;

import io.meridian.limiter.region.RegionUnavailable;
import io.meridian.limiter.region.RegionAccounts;
import io.meridian.limiter.LimiterConfig.RedisConfig;
import io.meridian.model.match.LimitKeys;
import io.meridian.model.match.Shard;
import io.meridian.model.wire.VerdictRecord;
import io.vertx.redis.client.RedisClientType;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;

/** The region's books in Redis: one call for all shards, in a cluster one for each. */
@Singleton
class RedisBooks implements RegionAccounts {
    private static final Duration WITHIN = Duration.ofSeconds(1);
    private static final byte[] NOTHING = "0".getBytes(StandardCharsets.US_ASCII);

    private final RedisCounters counters;
    private final RegionLives lives;
    private final TouchedShards touched;
    private final LimitKeys keys;
    private final boolean cluster;
    private final Script collect = Script.load(List.of("call", "book", "collect"));
    private final Script reported = Script.load(List.of("call", "book", "reported"));
    private final Script verdict = Script.load(List.of("call", "book", "verdict"));

    RedisBooks(RedisCounters counters, RegionLives lives, TouchedShards touched, LimitKeys keys, RedisConfig config) {
        this.counters = counters;
        this.lives = lives;
        this.touched = touched;
        this.keys = keys;
        this.cluster = config.mode() == RedisClientType.CLUSTER;
    }

    @Override
    public OptionalLong life() {
        return lives.known().map(life -> OptionalLong.of(life.number())).orElseGet(OptionalLong::empty);
    }

    @Override
    public Collection<Shard> toVisit() {
        return touched.toVisit();
    }

    @Override
    public CompletionStage<Due> due(Collection<Shard> shards, int max) {
        return each(shards, shard -> shard, (some, life) -> run(collect, request -> {
                            request.arg(some.size() + 1);
                            some.forEach(shard -> request.arg(CounterKey.dirty(shard)));
                            return request.arg(life.key(some.get(0)))
                                    .arg(Integer.toString(max))
                                    .arg(life.packed());
                        })
                        .thenApply(answer -> DueReader.read(answer, some)))
                .thenApply(DueReader::joined);
    }

    @Override
    public CompletionStage<Void> reported(List<DueBook> books) {
        return each(
                        books,
                        DueBook::shard,
                        (some, life) -> run(reported, request -> {
                            request.arg(some.size() + 1);
                            some.forEach(book -> request.arg(CounterKey.dirty(book.shard())));
                            request.arg(life.key(some.get(0).shard()))
                                    .arg(NOTHING)
                                    .arg(life.packed());
                            some.forEach(book -> request.arg(book.member().getBytes(StandardCharsets.ISO_8859_1)));
                            return request;
                        }))
                .thenAccept(done -> {});
    }

    /** What was said to another life is dropped: its grants are not this one's. */
    @Override
    public CompletionStage<Void> hear(List<VerdictRecord> verdicts) {
        return each(verdicts, this::shard, (all, life) -> {
                    List<VerdictRecord> some = VerdictWriter.to(life, all);
                    if (some.isEmpty()) {
                        return CompletableFuture.completedFuture(null);
                    }
                    some.forEach(each -> touched.note(shard(each)));
                    return run(
                                    verdict,
                                    request -> VerdictWriter.write(
                                            request, some, keys, life, life.key(shard(some.get(0)))))
                            .thenAccept(done -> {});
                })
                .thenAccept(done -> {});
    }

    private Shard shard(VerdictRecord said) {
        return keys.shard(said.limit().policyId(), said.limit().key());
    }

    private CompletionStage<Response> run(Script script, Function<Request, Request> told) {
        return counters.onLane(lane -> lane.run(script, told, WITHIN));
    }

    /** Calls for all at once, or in a cluster for those of one shard each. */
    private <T, R> CompletionStage<List<R>> each(
            Collection<T> all, Function<T, Shard> shard, BiFunction<List<T>, Life, CompletionStage<R>> call) {
        Life life = lives.known().orElse(null);
        if (life == null) {
            return CompletableFuture.failedFuture(new RegionUnavailable("the region has not answered yet"));
        }
        Map<Integer, List<T>> calls = new LinkedHashMap<>();
        for (T each : all) {
            int node = cluster ? shard.apply(each).number() : 0;
            calls.computeIfAbsent(node, absent -> new ArrayList<>()).add(each);
        }
        List<CompletableFuture<R>> answers = calls.values().stream()
                .map(some -> call.apply(some, life).toCompletableFuture())
                .toList();
        return CompletableFuture.allOf(answers.toArray(CompletableFuture<?>[]::new))
                .thenApply(done -> answers.stream().map(CompletableFuture::join).toList());
    }
}
