package io.meridian.config.regions;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** How the limiters of all regions are heard and asked. */
@ConfigMapping(prefix = "meridian.config.regions")
public interface RegionsConfig {
    /** Kafka; without it no region is known and none can be asked. */
    @WithDefault("${kafka.bootstrap.servers:}")
    Optional<String> bootstrapServers();

    /** Where limiters say which rules they run. */
    @WithDefault("reports")
    String reportsTopic();

    /** Where limiters are asked. */
    @WithDefault("questions")
    String questionsTopic();

    /** Where limiters answer. */
    @WithDefault("answers")
    String answersTopic();

    /** An instance that was heard of within this time is live. */
    @WithDefault("5S")
    Duration liveWithin();

    /** An instance that was not heard of for so long is forgotten. */
    @WithDefault("1H")
    Duration forgetAfter();

    /** How many instances are remembered; for one more the longest silent is forgotten. */
    @WithDefault("10000")
    int instancesMax();

    /** Regions that exist whether or not their limiters have been heard of. */
    Optional<Set<String>> names();

    /** A region that was heard of within this time exists: policies may name it. */
    @WithDefault("30D")
    Duration knownFor();

    /** How long an answer is waited for. */
    @WithDefault("2S")
    Duration answerWithin();

    /** How long limiters may answer, by their own clocks: more than is waited, so that clocks may differ. */
    @WithDefault("10S")
    Duration questionsExpireAfter();

    /** How many questions may be open at once; further ones are refused. */
    @WithDefault("100")
    int questionsMax();
}
