package io.meridian.config.history;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.Optional;

/** What is kept of usage, violations and operations, and how it is read from Kafka. */
@ConfigMapping(prefix = "meridian.config.history")
public interface HistoryConfig {
    /** Kafka; without it nothing is taken in, and what was is still answered from. */
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

    /** How many records one transaction takes in. */
    @WithDefault("5000")
    int batchMax();

    /** How long usage is kept. */
    @WithDefault("30D")
    Duration usageRetention();

    /** How long violations are kept. */
    @WithDefault("30D")
    Duration violationRetention();

    /** For how many days ahead there are partitions. */
    @WithDefault("7")
    int daysAhead();

    /** How often partitions are made and dropped. */
    @WithDefault("1H")
    Duration upkeepEvery();
}
