package io.meridian.limiter.redis;

import io.meridian.limiter.LimiterConfig.RedisConfig;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClientOptions;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisClientType;
import io.vertx.redis.client.RedisOptions;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Clients of the event loops, one connection each. */
@Singleton
class RedisClients {
    private final Vertx vertx;
    private final RedisConfig config;
    /** As many as there are event loops. */
    private final Queue<Redis> clients = new ConcurrentLinkedQueue<>();

    RedisClients(Vertx vertx, RedisConfig config) {
        this.vertx = vertx;
        this.config = config;
    }

    Redis create() {
        RedisOptions options = options(config.mode(), config.hosts());
        config.masterName().ifPresent(options::setMasterName);
        return client(options);
    }

    /** A client of one server besides the lanes. */
    Redis createFor(String host) {
        return client(options(RedisClientType.STANDALONE, List.of(host)));
    }

    private RedisOptions options(RedisClientType type, List<String> hosts) {
        return new RedisOptions()
                .setType(type)
                .setEndpoints(hosts)
                // A cluster connection draws one of these per node.
                .setMaxPoolSize(hosts.size() * 8)
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
    }

    private Redis client(RedisOptions options) {
        Redis client = Redis.createClient(vertx, options);
        clients.add(client);
        return client;
    }

    @PreDestroy
    void close() {
        clients.forEach(Redis::close);
    }
}
