package io.meridian.config.history;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.Optional;

/** Settings of the history of usage, violations and operations. */
@ConfigMapping(prefix = "meridian.config.history")
public interface HistoryConfig {
    /** Kafka; without it nothing is taken in, and queries answer from what is stored. */
    @WithDefault("${kafka.bootstrap.servers:}")
    Optional<String> bootstrapServers();

    /** The topic of usage. */
    @WithDefault("usage")
    String usageTopic();

    /** The topic of violations. */
    @WithDefault("violations")
    String violationsTopic();

    /** The topic of resets and refunds made at limiters, which become rows of the audit trail. */
    @WithDefault("operations")
    String operationsTopic();

    /** The most records in one transaction. */
    @WithDefault("5000")
    int batchMax();

    /** How long usage is kept. */
    @WithDefault("30D")
    Duration usageRetention();

    /** How long violations are kept. */
    @WithDefault("30D")
    Duration violationRetention();

    /** The days ahead for which partitions are created. */
    @WithDefault("7")
    int daysAhead();

    /** How often partitions are created and dropped. */
    @WithDefault("1H")
    Duration upkeepEvery();
}
