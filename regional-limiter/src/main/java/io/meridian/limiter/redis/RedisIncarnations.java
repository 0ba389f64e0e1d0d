package io.meridian.limiter.redis;

import io.meridian.limiter.LimiterConfig.RedisConfig;
import io.meridian.limiter.lease.IncarnationTracker;
import io.meridian.model.match.Shard;
import io.vertx.core.Future;
import io.vertx.redis.client.RedisClientType;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import jakarta.inject.Singleton;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Incarnation of the region's data in Redis. Every new connection asks for it, because a server that was restarted, gave way to
 * another, or became a replica ends every connection; scripts notice that a running server was wiped.
 */
@Singleton
class RedisIncarnations {
    private static final Logger LOG = Logger.getLogger(RedisIncarnations.class);
    static final byte WIPED = 'w';

    private final Script script = Script.load(List.of("incarnation"));
    private final boolean cluster;
    private final IncarnationTracker known;

    RedisIncarnations(RedisConfig config, IncarnationTracker known) {
        this.cluster = config.mode() == RedisClientType.CLUSTER;
        this.known = known;
    }

    /** The incarnation that this instance knows. */
    IncarnationTracker tracker() {
        return known;
    }

    /** The incarnation to name in a call; null in a cluster, and before the first connection. */
    @Nullable StoredIncarnation current() {
        OptionalLong number = known.current();
        return number.isPresent() ? new StoredIncarnation(number.getAsLong()) : null;
    }

    /** The incarnation to report, 1 in a cluster; empty before the first connection. */
    Optional<StoredIncarnation> known() {
        return cluster ? Optional.of(StoredIncarnation.OF_A_CLUSTER) : Optional.ofNullable(current());
    }

    Future<RedisConnection> identify(RedisConnection connection) {
        if (cluster) {
            return Future.succeededFuture(connection);
        }
        return connection.send(request(script, current())).map(reply -> {
            byte[] begun = reply.toBytes();
            learn(StoredIncarnation.read(begun), begun[Long.BYTES] == WIPED);
            return connection;
        });
    }

    static Request request(Script script, @Nullable StoredIncarnation known) {
        return script.byText()
                .arg(2)
                .arg(StoredIncarnation.key())
                .arg(StoredIncarnation.ORIGIN_KEY)
                .arg(known == null ? "0" : Long.toString(known.number()));
    }

    private void learn(StoredIncarnation incarnation, boolean wiped) {
        if (known.learn(incarnation.number(), wiped)) {
            LOG.warnf(
                    "the region's data has another incarnation; leases are invalid and global limits are reported anew: incarnation=%d",
                    incarnation.number());
        }
    }

    /**
     * One incarnation of the region's data, numbered by the region's time at which it began. Accounts of global limits are kept under
     * keys of an incarnation, so that nothing of an earlier one is mistaken for it.
     */
    record StoredIncarnation(long number) {
        /** Key of the incarnation of the region's data. */
        static final String KEY = "incarnation";
        /** Key of the server's replication history at its beginning. */
        static final String ORIGIN_KEY = "incarnation-origin";

        /** The only one of a cluster, whose nodes come and go one by one. */
        static final StoredIncarnation OF_A_CLUSTER = new StoredIncarnation(1);

        static StoredIncarnation read(byte[] packed) {
            return new StoredIncarnation(ByteBuffer.wrap(packed).getLong());
        }

        /** The argument that scripts compare with the data's own incarnation; empty where they do not. */
        byte[] packed() {
            return equals(OF_A_CLUSTER)
                    ? new byte[0]
                    : ByteBuffer.allocate(Long.BYTES).putLong(number).array();
        }

        /** The key that a script of this shard is given last. */
        byte[] key(Shard shard) {
            return equals(OF_A_CLUSTER) ? CounterKey.dirty(shard) : key();
        }

        static byte[] key() {
            return KEY.getBytes(StandardCharsets.US_ASCII);
        }
    }
}
