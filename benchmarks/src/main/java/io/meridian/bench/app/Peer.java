package io.meridian.bench.app;

import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.ConsumptionProbe;
import io.github.bucket4j.distributed.ExpirationAfterWriteStrategy;
import io.github.bucket4j.distributed.proxy.AsyncProxyManager;
import io.github.bucket4j.redis.lettuce.Bucket4jLettuce;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import io.meridian.limiter.decide.CheckResult;
import io.meridian.limiter.decide.CheckResult.DecidedBy;
import io.meridian.model.decision.Decision;
import io.meridian.model.decision.Decision.LimitDecision;
import io.meridian.model.match.Check;
import io.meridian.model.time.TimeSource;
import io.quarkus.runtime.Startup;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.inject.Typed;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Bucket4j on the same Redis, as its documentation has it: compare and swap over one pipelined Lettuce connection, a token
 * bucket per key, which expires when it is full again.
 */
@Singleton
@Typed(Peer.class)
@Startup
public class Peer extends OnlyChecks {
    private static final Duration WINDOW = Duration.ofMinutes(1);
    private static final BucketConfiguration BUCKET = BucketConfiguration.builder()
            .addLimit(limit -> limit.capacity(ComparedPolicy.LIMIT).refillGreedy(ComparedPolicy.LIMIT, WINDOW))
            .build();

    private final RedisClient client;
    private final AsyncProxyManager<String> buckets;

    Peer(AppConfig config) {
        client = RedisClient.create(config.redis());
        StatefulRedisConnection<String, byte[]> connection =
                client.connect(RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE));
        buckets = Bucket4jLettuce.casBasedBuilder(connection)
                .expirationAfterWrite(ExpirationAfterWriteStrategy.basedOnTimeForRefillingBucketUpToMax(WINDOW))
                .build()
                .asAsync();
    }

    @Override
    public CompletionStage<CheckResult> check(Check check) {
        String key = ComparedPolicy.key(check);
        return buckets.builder()
                .build("peer:" + key, () -> CompletableFuture.completedFuture(BUCKET))
                .tryConsumeAndReturnRemaining(check.cost())
                .thenApply(taken -> ruling(key, taken));
    }

    private static CheckResult ruling(String key, ConsumptionProbe taken) {
        LimitDecision evaluated = ComparedPolicy.evaluated(
                key, taken.isConsumed(), taken.getRemainingTokens(), taken.getNanosToWaitForReset());
        Decision decision = taken.isConsumed()
                ? new Decision.Allowed(List.of(evaluated), evaluated, 0)
                : new Decision.Denied(List.of(evaluated), evaluated, taken.getNanosToWaitForRefill() / 1_000);
        return CheckResult.Decided.by(
                DecidedBy.REGION, decision, TimeSource.system().wallMicros());
    }

    @PreDestroy
    void close() {
        client.shutdown();
    }
}
