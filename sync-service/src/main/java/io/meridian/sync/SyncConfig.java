package io.meridian.sync;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.Optional;

/** Settings of a sync replica. */
@ConfigMapping(prefix = "meridian.sync")
public interface SyncConfig {
    /** The name of this replica in logs, in the list of leaders and in its transactions: no two may share one. */
    @WithDefault("sync-1")
    String replica();

    /** Kafka; without it the replica runs idle. */
    @WithDefault("${kafka.bootstrap.servers:}")
    Optional<String> bootstrapServers();

    /** The consumer group in which replicas share the partitions out. */
    @WithDefault("meridian-sync")
    String group();

    /** Topic of the regions' reports. */
    @WithDefault("usage")
    String usageTopic();

    /** Topic of verdicts; with as many partitions as the topic of usage. */
    @WithDefault("verdicts")
    String verdictsTopic();

    /** A replica without a heartbeat for so long is removed from the group. The broker must allow it. */
    @WithDefault("1.5S")
    Duration session();

    /** Interval of heartbeats to the group. */
    @WithDefault("0.3S")
    Duration heartbeat();

    /** A replica whose loop stands still for so long leaves the group, though its heart beats. */
    @WithDefault("5S")
    Duration stall();

    /** The broker ends a transaction that is open for longer: a killed leader's holds its readers back until then. */
    @WithDefault("2S")
    Duration transactionTimeout();

    /** A replica that Kafka does not answer for so long starts again with new clients. */
    @WithDefault("2S")
    Duration answerWithin();

    /** A leader waits so long after new usage for more before it publishes. */
    @WithDefault("0.025S")
    Duration tickMin();

    /** Interval of ticks without new usage. */
    @WithDefault("0.1S")
    Duration tick();

    /** Interval of a leader's beats, though there is nothing else to publish. */
    @WithDefault("0.5S")
    Duration beat();

    /** A transaction has verdicts on so many limits of a partition; the others come with the next tick. */
    @WithDefault("2000")
    int limitsPerTick();

    /** After so long even a change that hardly matters is published. */
    @WithDefault("1S")
    Duration publishEvery();

    /** How far ahead of its demand a region is granted, and at most a tenth of the window. */
    @WithDefault("1S")
    Duration horizon();

    /** Among how many regions the floors of limits in escrow are divided; a further region has none. */
    @WithDefault("${meridian.regions.max:8}")
    int regionsMax();

    /**
     * So far ahead regions are promised their floors: so long one keeps them when it is cut off, and so long it waits for new ones after its
     * Redis has begun another incarnation.
     */
    @WithDefault("1M")
    Duration floorAhead();

    /** How long a window is remembered after its end: regions that were cut off report late. */
    @WithDefault("1H")
    Duration keep();

    /** How often the escrow accounts are searched for inconsistent ones. */
    @WithDefault("5M")
    Duration reconcile();

    /**
     * How far after the time at which Kafka took a report the incarnation may have begun that it is of. What is further ahead is refused: it
     * was forged, or the region's clock is wrong by so much.
     */
    @WithDefault("10S")
    Duration incarnationAhead();

    /** A region's clock that is off by more is logged as a warning. */
    @WithDefault("0.25S")
    Duration skewAlert();
}
