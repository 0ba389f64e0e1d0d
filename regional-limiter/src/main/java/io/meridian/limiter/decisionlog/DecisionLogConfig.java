package io.meridian.limiter.decisionlog;

import io.meridian.model.validation.Validator;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Which decisions are logged, and how many at most. */
@ConfigMapping(prefix = "meridian.limiter.decision-log")
interface DecisionLogConfig {
    int RECORDS_PER_SECOND_MAX = 10_000;
    int QUEUE_MAX = 100_000;

    /** The share of checks that are logged, from 0, which is off, to 1. */
    @WithDefault("0")
    double sample();

    /** How many checks an instance logs in one second at most; further ones of the sample are dropped. */
    @WithDefault("100")
    int recordsPerSecond();

    /** How many records may wait for the log; further ones are dropped. */
    @WithDefault("1000")
    int queue();

    /** Refuses values that cannot be meant, each by the name of its setting. */
    default void check() {
        new Validator()
                .require(
                        sample() >= 0 && sample() <= 1,
                        "meridian.limiter.decision-log.sample",
                        sample(),
                        "must be from 0 to 1")
                .require(
                        recordsPerSecond() >= 1 && recordsPerSecond() <= RECORDS_PER_SECOND_MAX,
                        "meridian.limiter.decision-log.records-per-second",
                        recordsPerSecond(),
                        "must be from 1 to " + RECORDS_PER_SECOND_MAX)
                .require(
                        queue() >= 1 && queue() <= QUEUE_MAX,
                        "meridian.limiter.decision-log.queue",
                        queue(),
                        "must be from 1 to " + QUEUE_MAX)
                .throwIfInvalid();
    }
}
