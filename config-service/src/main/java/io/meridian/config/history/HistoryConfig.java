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

    /** How long after its end a window is judged: usage of connected regions has arrived by then. Later usage corrects it. */
    @WithDefault("5S")
    Duration promiseGrace();

    /** How long the ledger of promises is kept. */
    @WithDefault("90D")
    Duration promiseRetention();

    /** How long after the end of a window the usage of its keys is kept: later usage corrects the ledger so long. */
    @WithDefault("3D")
    Duration promiseAccountRetention();

    /** The days ahead for which partitions are created. */
    @WithDefault("7")
    int daysAhead();

    /** How often partitions are created and dropped. */
    @WithDefault("1H")
    Duration upkeepEvery();
}
