package io.meridian.limiter.redis;

import io.meridian.limiter.lease.IncarnationTracker;
import io.meridian.limiter.LimiterConfig.RedisConfig;
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
 * Of which life the region's data is, as this instance knows it. It asks whenever it connects, because a server that was
 * restarted, gave way to another, or became a replica ends every connection; that a running one was wiped, the script notices.
 */
@Singleton
class RedisIncarnations {
    /** What a script answers to one who knows another life. */
    static final String ANOTHER = "LIFE";

    private static final Logger LOG = Logger.getLogger(RedisIncarnations.class);
    private static final byte WIPED = 'w';

    private final Script script = Script.load(List.of("life"));
    private final boolean cluster;
    private final IncarnationTracker known;

    RedisIncarnations(RedisConfig config, IncarnationTracker known) {
        this.cluster = config.mode() == RedisClientType.CLUSTER;
        this.known = known;
    }

    /** The life to name in a call; null in a cluster, and before anybody has connected. */
    @Nullable StoredIncarnation current() {
        OptionalLong number = known.current();
        return number.isPresent() ? new StoredIncarnation(number.getAsLong()) : null;
    }

    /** The number of the life, for those who report. */
    Optional<StoredIncarnation> known() {
        return cluster ? Optional.of(StoredIncarnation.OF_A_CLUSTER) : Optional.ofNullable(current());
    }

    Future<RedisConnection> greet(RedisConnection connection) {
        if (cluster) {
            return Future.succeededFuture(connection);
        }
        return connection.send(toGreet(script, current())).map(life -> {
            byte[] begun = life.toBytes();
            learn(StoredIncarnation.read(begun), begun[Long.BYTES] == WIPED);
            return connection;
        });
    }

    static Request toGreet(Script script, @Nullable StoredIncarnation known) {
        return script.byText()
                .arg(2)
                .arg(StoredIncarnation.key())
                .arg(StoredIncarnation.ORIGIN_KEY)
                .arg(known == null ? "0" : Long.toString(known.number()));
    }

    private void learn(StoredIncarnation life, boolean wiped) {
        if (known.learn(life.number(), wiped)) {
            LOG.warnf("the region's data is of another life: what regions share is learnt anew: now=%d", life.number());
        }
    }

    /**
     * One life of the region's data, by the region's time at which it began. What regions share is kept under keys of a life, so that
     * nothing of an earlier one is mistaken for it.
     */
    record StoredIncarnation(long number) {
        /** Where the region's data says of which life it is. */
        static final String KEY = "life";
        /** Where it says which replication history the server had when that life began. */
        static final String ORIGIN_KEY = "life-origin";

        /** A cluster's data is taken to live for ever: its nodes come and go one by one. */
        static final StoredIncarnation OF_A_CLUSTER = new StoredIncarnation(1);

        static StoredIncarnation read(byte[] packed) {
            return new StoredIncarnation(ByteBuffer.wrap(packed).getLong());
        }

        /** As scripts hold it against the data's own; nothing for what is not held against it. */
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
