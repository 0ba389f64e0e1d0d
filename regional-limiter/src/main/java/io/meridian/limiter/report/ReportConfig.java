package io.meridian.limiter.report;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.Optional;

/** How a limiter reports to the centre and answers its questions. */
@ConfigMapping(prefix = "meridian.limiter.reports")
interface ReportConfig {
    /** Kafka; without it nothing is reported and nobody can ask. */
    @WithDefault("${kafka.bootstrap.servers:}")
    Optional<String> bootstrapServers();

    /** Where instances say which rules they run. */
    @WithDefault("reports")
    String topic();

    /** Where the centre asks. */
    @WithDefault("questions")
    String questionsTopic();

    /** Where instances answer. */
    @WithDefault("answers")
    String answersTopic();

    /** How often an instance reports; it also does at once when its revision changes. */
    @WithDefault("1S")
    Duration interval();

    /** How many questions may be at work at once; further ones are answered with a failure. */
    @WithDefault("64")
    int questionsMax();

    /** How many answers may wait for Kafka; further ones are dropped. */
    @WithDefault("256")
    int answersMax();
}
