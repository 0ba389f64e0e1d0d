package io.meridian.limiter.redis;

import io.meridian.limiter.lease.IncarnationTracker;
import io.meridian.limiter.LimiterConfig.RedisConfig;
import io.vertx.core.Future;
import io.vertx.redis.client.RedisClientType;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import jakarta.inject.Singleton;
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
class RegionLives {
    /** What a script answers to one who knows another life. */
    static final String ANOTHER = "LIFE";

    private static final Logger LOG = Logger.getLogger(RegionLives.class);
    private static final byte WIPED = 'w';

    private final Script script = Script.load(List.of("life"));
    private final boolean cluster;
    private final IncarnationTracker known;

    RegionLives(RedisConfig config, IncarnationTracker known) {
        this.cluster = config.mode() == RedisClientType.CLUSTER;
        this.known = known;
    }

    /** The life to name in a call; null in a cluster, and before anybody has connected. */
    @Nullable Life current() {
        OptionalLong number = known.current();
        return number.isPresent() ? new Life(number.getAsLong()) : null;
    }

    /** The number of the life, for those who report. */
    Optional<Life> known() {
        return cluster ? Optional.of(Life.OF_A_CLUSTER) : Optional.ofNullable(current());
    }

    Future<RedisConnection> greet(RedisConnection connection) {
        if (cluster) {
            return Future.succeededFuture(connection);
        }
        return connection.send(toGreet(script, current())).map(life -> {
            byte[] begun = life.toBytes();
            learn(Life.read(begun), begun[Long.BYTES] == WIPED);
            return connection;
        });
    }

    static Request toGreet(Script script, @Nullable Life known) {
        return script.byText()
                .arg(2)
                .arg(Life.key())
                .arg(Life.ORIGIN_KEY)
                .arg(known == null ? "0" : Long.toString(known.number()));
    }

    private void learn(Life life, boolean wiped) {
        if (known.learn(life.number(), wiped)) {
            LOG.warnf("the region's data is of another life: what regions share is learnt anew: now=%d", life.number());
        }
    }
}
