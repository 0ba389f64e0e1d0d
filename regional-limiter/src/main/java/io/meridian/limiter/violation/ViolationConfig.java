package io.meridian.limiter.violation;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.Optional;

/** How denials are told to Kafka. */
@ConfigMapping(prefix = "meridian.limiter.violations")
interface ViolationConfig {
    /** Kafka; without it denials are told to nobody. */
    @WithDefault("${kafka.bootstrap.servers:}")
    Optional<String> bootstrapServers();

    /** The topic, which must exist. */
    @WithDefault("violations")
    String topic();

    /** How long the denials of one limit add up to one record. */
    @WithDefault("1S")
    Duration interval();

    /** How many limits may have denials to tell of in one interval, and how many may wait for Kafka; further ones are dropped. */
    @WithDefault("10000")
    int openMax();

    /** The memory of the Kafka producer for records that are not acknowledged. */
    @WithDefault("8388608")
    int bufferBytes();

    /** How long handing one record to the producer may take; only the thread that flushes waits. */
    @WithDefault("500MS")
    Duration maxBlock();

    /** How long one request to a broker may take before it is tried again. */
    @WithDefault("10S")
    Duration requestTimeout();

    /** How long a record may wait for its acknowledgement before it counts as lost. */
    @WithDefault("2M")
    Duration deliveryTimeout();

    /** How long a stopping instance waits for the last acknowledgements. */
    @WithDefault("2S")
    Duration stopWithin();
}
