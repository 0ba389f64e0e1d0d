package io.meridian.limiter.redis;

import io.meridian.limiter.region.RegionStore;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The region's small records as strings of Redis; those that are due at a time, in one sorted set. */
@Singleton
class RedisStore implements RegionStore {
    private static final String DUE = "due";
    /** Longer than any record is due, so that the set goes when nothing is. */
    private static final Duration DUE_EXPIRY = Duration.ofHours(25);

    private final RedisCounters counters;

    RedisStore(RedisCounters counters) {
        this.counters = counters;
    }

    @Override
    public CompletionStage<Optional<String>> putIfAbsent(String key, String value, Duration expiry) {
        return send(set(key, value, expiry).arg("NX"))
                .thenCompose(put -> put.isPresent()
                        ? CompletableFuture.completedFuture(Optional.<String>empty())
                        // Gone again since: as good as absent, but not ours.
                        : get(key).thenApply(there -> there.or(() -> Optional.of(""))));
    }

    @Override
    public CompletionStage<Void> put(String key, String value, Duration expiry) {
        return send(set(key, value, expiry)).thenAccept(ignored -> {});
    }

    @Override
    public CompletionStage<Optional<String>> get(String key) {
        return send(Request.cmd(Command.GET).arg(key)).thenApply(RedisStore::text);
    }

    @Override
    public CompletionStage<Optional<String>> take(String key) {
        return send(Request.cmd(Command.GETDEL).arg(key)).thenApply(RedisStore::text);
    }

    @Override
    public CompletionStage<Void> putDue(String key, String value, long dueMicros, Duration expiry) {
        return put(key, value, expiry)
                .thenCompose(put -> send(Request.cmd(Command.ZADD)
                        .arg(DUE)
                        .arg(Long.toString(dueMicros))
                        .arg(key)))
                .thenCompose(
                        added -> send(Request.cmd(Command.PEXPIRE).arg(DUE).arg(Long.toString(DUE_EXPIRY.toMillis()))))
                .thenAccept(ignored -> {});
    }

    @Override
    public CompletionStage<List<String>> due(long nowMicros, int max) {
        return send(Request.cmd(Command.ZRANGE)
                        .arg(DUE)
                        .arg("-inf")
                        .arg(Long.toString(nowMicros))
                        .arg("BYSCORE")
                        .arg("LIMIT")
                        .arg("0")
                        .arg(Integer.toString(max)))
                .thenApply(found -> {
                    List<String> keys = new ArrayList<>();
                    found.ifPresent(all -> all.forEach(key -> keys.add(key.toString())));
                    return keys;
                });
    }

    @Override
    public CompletionStage<Void> forgetDue(String key) {
        return send(Request.cmd(Command.ZREM).arg(DUE).arg(key)).thenAccept(ignored -> {});
    }

    private CompletionStage<Optional<Response>> send(Request request) {
        return counters.send(request);
    }

    private static Request set(String key, String value, Duration expiry) {
        return Request.cmd(Command.SET).arg(key).arg(value).arg("PX").arg(Long.toString(expiry.toMillis()));
    }

    private static Optional<String> text(Optional<Response> response) {
        return response.map(Response::toString);
    }
}
