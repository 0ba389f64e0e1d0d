package io.meridian.limiter.redis;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.vertx.redis.client.RedisClientType;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Where the region's Redis is, and how long a check waits for it. */
@ConfigMapping(prefix = "meridian.limiter.redis")
public interface RedisConfig {
    /** {@code redis://[user:password@]host:port}, or {@code rediss://} with TLS; several for a cluster or its sentinels. */
    @WithDefault("redis://127.0.0.1:6379")
    List<String> hosts();

    /** One server, a cluster, or a master that sentinels name. */
    @WithDefault("standalone")
    RedisClientType mode();

    /** The name of the master among sentinels. */
    Optional<String> masterName();

    /** How long a check waits for an answer before it is decided without. */
    @WithDefault("25ms")
    Duration budget();

    /** How long a connection may take to be made, and an event loop's first answer; later ones have the budget. */
    @WithDefault("500ms")
    Duration connectTimeout();

    /** How long an event loop waits before it tries to connect again. */
    @WithDefault("100ms")
    Duration reconnectEvery();

    /** How many asks one script call carries at most: a call holds Redis up for all others. */
    @WithDefault("128")
    int asksPerCall();

    /** From so many groups on a turn does not wait for the answer to the call before it. */
    @WithDefault("32")
    int groupsWorthACall();

    /** How many script calls of one event loop may be unanswered; beyond it a check is decided without Redis. */
    @WithDefault("64")
    int callsInFlight();

    /** How many groups one turn of an event loop collects; beyond it a check is decided without Redis. */
    @WithDefault("4096")
    int groupsPerTurn();

    /**
     * A replica of the region's Redis, {@code redis://} or {@code rediss://}: the reconciliation compares a sample of its keys.
     * Not with a cluster.
     */
    Optional<String> replica();

    /** How many keys one reconciliation compares with the replica, about. */
    @WithDefault("1000")
    int replicaSample();

    Breaker breaker();

    /** When a Redis that does not answer is no longer asked. */
    interface Breaker {
        /** So many calls in a row must fail. */
        @WithDefault("5")
        int failures();

        /** How long checks then do not ask it, at most. */
        @WithDefault("30s")
        Duration delay();

        /** So many checks must succeed after that before it is asked by all again. */
        @WithDefault("1")
        int probes();

        /** How often it is asked meanwhile whether it is back: one answer within the budget, and checks ask it again. */
        @WithDefault("500ms")
        Duration probeEvery();
    }
}
