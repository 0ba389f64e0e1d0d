package io.meridian.limiter.redis;

import io.meridian.limiter.region.RegionCounters.Reply;
import io.meridian.model.counter.CounterRequest;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A connection for tests that wait for every answer. */
final class RedisTalk implements AutoCloseable {
    private static final int SECONDS_MAX = 120;

    private final Vertx vertx = Vertx.vertx();
    private final RedisConnection connection;

    RedisTalk(RedisOptions options) {
        this.connection = await(Redis.createClient(vertx, options).connect());
    }

    static RedisTalk to(String url) {
        return new RedisTalk(new RedisOptions().setConnectionString(url));
    }

    Response ask(Request request) {
        return await(connection.send(request));
    }

    List<Response> ask(List<Request> requests) {
        return await(connection.batch(requests));
    }

    List<Reply> ask(CounterScript script, List<List<CounterRequest>> groups) {
        return script.read(ask(script.arguments(script.script().byDigest(), groups, null)), groups);
    }

    /** A line of INFO. */
    String info(String section, String name) {
        return ask(Request.cmd(Command.INFO).arg(section))
                .toString()
                .lines()
                .filter(line -> line.startsWith(name + ":"))
                .map(line -> line.substring(name.length() + 1))
                .findFirst()
                .orElseThrow();
    }

    private static <T> T await(Future<T> future) {
        try {
            return future.toCompletionStage().toCompletableFuture().get(SECONDS_MAX, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } catch (TimeoutException e) {
            throw new IllegalStateException("no answer within " + SECONDS_MAX + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        connection.close();
        await(vertx.close());
    }
}
