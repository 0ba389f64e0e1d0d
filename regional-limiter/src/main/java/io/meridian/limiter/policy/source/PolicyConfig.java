package io.meridian.limiter.policy.source;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Where a limiter's policies come from. */
@ConfigMapping(prefix = "meridian.limiter.policies")
public interface PolicyConfig {
    /** What to follow. By default the file if one is named, else the topic if there is a Kafka, else what is built in. */
    Optional<Source> source();

    /** A YAML file of policies, tiers, overrides and lists; followed as it changes. */
    Optional<Path> file();

    /** How often the file is looked at. A change is taken when the file looked the same twice. */
    @WithDefault("250ms")
    Duration fileCheckInterval();

    /** The compacted topic of policies, tiers, overrides and lists. */
    @WithDefault("policies")
    String topic();

    /** The Kafka of the topic. */
    @WithDefault("${kafka.bootstrap.servers:}")
    Optional<String> bootstrapServers();

    /** How long a start without a copy waits for the topic, before it goes on with what is built in. */
    @WithDefault("2s")
    Duration startTimeout();

    /** Where the last known good copy is kept; without it, a start without the source begins with what is built in. */
    Optional<Path> cacheFile();

    /** The least time between two writings of the copy. */
    @WithDefault("5s")
    Duration cacheWriteInterval();

    /** What can be followed. */
    enum Source {
        FILE,
        TOPIC,
        DEFAULTS
    }
}
