package io.meridian.limiter.redis;

import io.meridian.limiter.LimiterConfig.RedisConfig;
import io.meridian.model.time.TimeSource;
import io.vertx.core.Future;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisConnection;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Connection of one event loop to Redis: made when first needed, made anew when lost or when its server may no longer write. */
final class LaneConnection {
    private final Redis client;
    private final RedisConfig config;
    private final RedisIncarnations incarnations;
    private final TimeSource time;
    private @Nullable Future<RedisConnection> connection;
    private long retryAtNanos;
    private boolean known;

    LaneConnection(Redis client, RedisConfig config, RedisIncarnations incarnations, TimeSource time) {
        this.client = client;
        this.config = config;
        this.incarnations = incarnations;
        this.time = time;
        this.retryAtNanos = time.monotonicNanos();
    }

    Future<RedisConnection> get() {
        Future<RedisConnection> current = connection;
        if (current != null) {
            return current;
        }
        if (time.monotonicNanos() - retryAtNanos < 0) {
            return Future.failedFuture("not connected");
        }
        Future<RedisConnection> connecting = client.connect().compose(this::identified);
        connection = connecting;
        connecting.onSuccess(this::connected).onFailure(failure -> drop(connecting));
        return connecting;
    }

    /** Asks again for the incarnation of the server's data. */
    Future<RedisConnection> identifyAgain() {
        return get().compose(incarnations::identify);
    }

    /** A server that cannot name the incarnation of its data is not used. */
    private Future<RedisConnection> identified(RedisConnection made) {
        return incarnations.identify(made).onFailure(silent -> made.close());
    }

    /** How long to wait for an answer: a bit longer for the first one, which a connection and cold code come before. */
    Duration patience() {
        return known ? config.budget() : config.connectTimeout();
    }

    /** The script has answered, or has not in time: from now on nobody waits longer than the budget. */
    void known() {
        known = true;
    }

    void failed(Throwable failure) {
        Future<RedisConnection> current = connection;
        if (current != null && current.succeeded() && Script.Failure.of(failure) == Script.Failure.WRONG_SERVER) {
            drop(current);
            current.result().close();
        }
    }

    private void connected(RedisConnection made) {
        Future<RedisConnection> current = connection;
        made.exceptionHandler(failure -> drop(current));
        made.endHandler(ignored -> drop(current));
    }

    private void drop(@Nullable Future<RedisConnection> lost) {
        if (connection == lost) {
            connection = null;
            known = true;
            retryAtNanos = time.monotonicNanos() + config.reconnectEvery().toNanos();
        }
    }
}
