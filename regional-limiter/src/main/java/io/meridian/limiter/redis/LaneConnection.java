package io.meridian.limiter.redis;

import io.meridian.limiter.LimiterConfig.RedisConfig;
import io.meridian.model.time.TimeSource;
import io.vertx.core.Future;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisConnection;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The connection of one event loop: made when first needed, made anew when lost or when its server may no longer write. */
final class LaneConnection {
    /** Words of errors that say that another server has what we ask for; a script's error has them somewhere within. */
    private static final List<String> WRONG_SERVER = List.of("READONLY", "LOADING", "MASTERDOWN", "CLUSTERDOWN");

    private final Redis client;
    private final RedisConfig config;
    private final RedisIncarnations lives;
    private final TimeSource time;
    private @Nullable Future<RedisConnection> connection;
    private long retryAtNanos;
    private boolean known;

    LaneConnection(Redis client, RedisConfig config, RedisIncarnations lives, TimeSource time) {
        this.client = client;
        this.config = config;
        this.lives = lives;
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
        Future<RedisConnection> connecting = client.connect().compose(this::greeted);
        connection = connecting;
        connecting.onSuccess(this::connected).onFailure(failure -> drop(connecting));
        return connecting;
    }

    /** Asks again of which life the server's data is. */
    Future<RedisConnection> greetAgain() {
        return get().compose(lives::greet);
    }

    /** One that cannot say of which life its data is, is not worth keeping. */
    private Future<RedisConnection> greeted(RedisConnection made) {
        return lives.greet(made).onFailure(silent -> made.close());
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
        String message = String.valueOf(failure.getMessage());
        Future<RedisConnection> current = connection;
        if (current != null && current.succeeded() && WRONG_SERVER.stream().anyMatch(message::contains)) {
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
