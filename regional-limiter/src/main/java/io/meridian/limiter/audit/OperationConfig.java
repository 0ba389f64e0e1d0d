package io.meridian.limiter.audit;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.Optional;

/** How resets and refunds are told to Kafka. */
@ConfigMapping(prefix = "meridian.limiter.operations")
interface OperationConfig {
    /** Kafka; without it resets and refunds are in no audit trail. */
    @WithDefault("${kafka.bootstrap.servers:}")
    Optional<String> bootstrapServers();

    /** The topic, which must exist. */
    @WithDefault("operations")
    String topic();

    /** How many operations may wait for Kafka; further ones are dropped. */
    @WithDefault("10000")
    int waitingMax();

    /** How long a stopping instance goes on telling what waits. */
    @WithDefault("2S")
    Duration stopWithin();
}
