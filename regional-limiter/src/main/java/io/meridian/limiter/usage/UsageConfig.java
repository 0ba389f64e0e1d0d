package io.meridian.limiter.usage;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.Optional;

/** How a region's use is told to the centre, and how the centre is listened to. */
@ConfigMapping(prefix = "meridian.limiter.usage")
public interface UsageConfig {
    /** Kafka; without it regions know nothing of each other. */
    @WithDefault("${kafka.bootstrap.servers:}")
    Optional<String> bootstrapServers();

    /** Where use is told. */
    @WithDefault("usage")
    String topic();

    /** Where the centre answers; it has as many partitions. */
    @WithDefault("verdicts")
    String verdictsTopic();

    /** How often what regions share is told. */
    @WithDefault("100MS")
    Duration interval();

    /** How often what a region has for itself is told: for the record, and nobody decides by it. */
    @WithDefault("5S")
    Duration regionalInterval();

    /** How many of a region's own limits an instance reports a second, at most; what changes faster is reported later. */
    @WithDefault("50000")
    int regionalRate();

    /** How many limits are told of at once; the rest follows in the next interval. */
    @WithDefault("2000")
    int batchMax();

    /** How many batches may wait for Kafka's acknowledgement; meanwhile the region keeps what is new. */
    @WithDefault("8")
    int batchesInFlight();

    /** How many limits and windows a region has for itself are accounted for; what is taken of others is not on record, and counted. */
    @WithDefault("200000")
    int regionalLimitsMax();

    /** How long the centre may be silent before the region counts as cut off. */
    @WithDefault("3S")
    Duration cutOffAfter();

    /** How far back a limiter reads what the centre said when it starts: so long may all limiters of a region have been away. */
    @WithDefault("10M")
    Duration readBack();
}
