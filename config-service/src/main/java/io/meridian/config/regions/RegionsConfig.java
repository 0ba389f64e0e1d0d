package io.meridian.config.regions;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** Settings of the exchange with the limiters of all regions. */
@ConfigMapping(prefix = "meridian.config.regions")
public interface RegionsConfig {
    /** Kafka; without it no region is known and none can be asked. */
    @WithDefault("${kafka.bootstrap.servers:}")
    Optional<String> bootstrapServers();

    /** Topic of the limiters' reports. */
    @WithDefault("reports")
    String reportsTopic();

    /** Topic of questions to limiters. */
    @WithDefault("questions")
    String questionsTopic();

    /** Topic of the limiters' answers. */
    @WithDefault("answers")
    String answersTopic();

    /** An instance that reported within this time is live. */
    @WithDefault("5S")
    Duration liveWithin();

    /** An instance that has not reported for this time is forgotten. */
    @WithDefault("1H")
    Duration forgetAfter();

    /** The most instances in the directory; for one more the one with the oldest report is forgotten. */
    @WithDefault("10000")
    int instancesMax();

    /** Regions that exist whether or not their limiters report. */
    Optional<Set<String>> names();

    /** A region whose limiters reported within this time exists: policies may name it. */
    @WithDefault("30D")
    Duration knownFor();

    /** Timeout of answers. */
    @WithDefault("2S")
    Duration answerWithin();

    /** How long limiters may answer, by their own clocks: more than the timeout, because clocks differ. */
    @WithDefault("10S")
    Duration questionsExpireAfter();

    /** The most open questions; further ones are refused. */
    @WithDefault("100")
    int questionsMax();
}
