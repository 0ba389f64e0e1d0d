package io.meridian.config.outbox;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.Optional;

/** Settings of the publication of changes to Kafka. */
@ConfigMapping(prefix = "meridian.config.publisher")
public interface PublisherConfig {
    /** Kafka; without it changes are stored and not published. */
    @WithDefault("${kafka.bootstrap.servers:}")
    Optional<String> bootstrapServers();

    /** The compacted topic of policies, tiers, overrides and lists; of one partition, because its order matters. */
    @WithDefault("policies")
    String topic();

    /** By which a publisher fences its predecessor; the same for all replicas of one deployment. */
    @WithDefault("meridian-config-outbox")
    String transactionalId();

    /** The most changes in one Kafka transaction. */
    @WithDefault("1000")
    int batch();

    /** Pause after the outbox was found empty; a change made by this replica ends it. */
    @WithDefault("200MS")
    Duration pause();

    /** Duration of the publisher's lease: how long the successor of a killed publisher waits. */
    @WithDefault("3S")
    Duration term();

    /** How often the topic is compared with the database. */
    @WithDefault("5M")
    Duration reconcileEvery();

    /** How often the topic's identity is checked: it changes when the topic is deleted and created again. */
    @WithDefault("2S")
    Duration identifyEvery();

    /** Timeout of each request to Kafka. */
    @WithDefault("10S")
    Duration timeout();
}
