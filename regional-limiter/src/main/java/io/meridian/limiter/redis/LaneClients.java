package io.meridian.limiter.redis;

import io.vertx.core.Vertx;
import io.vertx.core.net.NetClientOptions;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisOptions;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Makes the clients of the lanes, one connection each, and closes them at the end. */
@Singleton
class LaneClients {
    private final Vertx vertx;
    private final RedisConfig config;
    /** As many as there are event loops. */
    private final Queue<Redis> clients = new ConcurrentLinkedQueue<>();

    LaneClients(Vertx vertx, RedisConfig config) {
        this.vertx = vertx;
        this.config = config;
    }

    Redis create() {
        RedisOptions options = new RedisOptions()
                .setType(config.mode())
                .setEndpoints(config.hosts())
                // A cluster connection draws one of these per node.
                .setMaxPoolSize(config.hosts().size() * 8)
                .setMaxPoolWaiting(config.callsInFlight())
                .setMaxWaitingHandlers(2 * config.callsInFlight())
                .setPoolRecycleTimeout(-1)
                .setProtocolNegotiation(false)
                .setNetClientOptions(new NetClientOptions()
                        .setConnectTimeout((int) config.connectTimeout().toMillis())
                        // With TLS: a certificate that is trusted and of another server is not this one's.
                        .setHostnameVerificationAlgorithm("HTTPS")
                        .setTcpNoDelay(true)
                        .setTcpKeepAlive(true));
        config.masterName().ifPresent(options::setMasterName);
        Redis client = Redis.createClient(vertx, options);
        clients.add(client);
        return client;
    }

    @PreDestroy
    void close() {
        clients.forEach(Redis::close);
    }
}
