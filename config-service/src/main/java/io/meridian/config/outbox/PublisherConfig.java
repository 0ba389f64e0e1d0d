package io.meridian.config.outbox;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.Optional;

/** How changes reach Kafka. */
@ConfigMapping(prefix = "meridian.config.publisher")
public interface PublisherConfig {
    /** Kafka; without it changes are stored and told to nobody. */
    @WithDefault("${kafka.bootstrap.servers:}")
    Optional<String> bootstrapServers();

    /** The compacted topic of policies, tiers, overrides and lists; of one partition, because its order counts. */
    @WithDefault("policies")
    String topic();

    /** What fences one publisher off by the next; the same for all replicas of one deployment. */
    @WithDefault("meridian-config-outbox")
    String transactionalId();

    /** How many changes go in one transaction of Kafka. */
    @WithDefault("1000")
    int batch();

    /** How long the outbox is left alone when it was empty; a change at this replica ends the wait. */
    @WithDefault("200MS")
    Duration pause();

    /** How long a term lasts that is not renewed: how long a killed publisher is waited for. */
    @WithDefault("3S")
    Duration term();

    /** How often the topic is held against the database. */
    @WithDefault("5M")
    Duration reconcileEvery();

    /** How often it is asked whether the topic is still the same one, and not one that was created anew. */
    @WithDefault("2S")
    Duration identifyEvery();

    /** How long Kafka may take for a step. */
    @WithDefault("10S")
    Duration timeout();
}
