package io.meridian.config.regions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.config.regions.RegionQueries.RegionAnswers;
import io.meridian.config.regions.RegionQueries.RegionsUnavailableException;
import io.meridian.model.time.TimeSource;
import io.meridian.model.wire.InstanceReport;
import io.meridian.model.wire.RegionQuery.Kind;
import io.meridian.model.wire.RegionQueryReply;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Refusals and timeouts of queries to limiters; successful queries are tested through the API. */
class RegionQueriesTest {
    /** Time that stands still: who was heard of stays live. */
    private static final TimeSource TIME = new TimeSource() {
        @Override
        public long wallMicros() {
            return 1_000_000_000;
        }

        @Override
        public long monotonicNanos() {
            return 1_000_000_000;
        }
    };

    @Test
    void nobody_is_asked_whose_answer_could_not_be_heard() {
        refused(questions("100", true), "cannot be read now");
    }

    @Test
    void nobody_is_asked_where_nobody_is() {
        RegionQueries questions = questions("100", false);
        questions.listening(true);

        refused(questions, "no limiter was heard of in the last PT5S");
    }

    @Test
    void nobody_is_asked_without_a_kafka_and_the_place_is_free_again() {
        RegionQueries questions = questions("1", true);
        questions.listening(true);

        refused(questions, "kafka.bootstrap.servers is not set");
        refused(questions, "kafka.bootstrap.servers is not set");
    }

    @Test
    void one_question_too_many_is_refused() {
        RegionQueries questions = questions("0", true);
        questions.listening(true);

        assertThatThrownBy(() -> ask(questions)).isInstanceOfSatisfying(RegionsUnavailableException.class, away -> {
            if (!away.isBusy()) {
                throw new AssertionError(away);
            }
        });
    }

    @Test
    void a_region_that_does_not_answer_in_time_is_missing() {
        RegionsConfig config = config(Map.of("meridian.config.regions.answer-within", "PT0.2S"));
        LimiterDirectory instances = new LimiterDirectory(config, TIME);
        hear(instances, "eu", "a");
        hear(instances, "us", "b");
        OneAnswers eu = new OneAnswers(config);
        RegionQueries questions = new RegionQueries(config, instances, eu, TIME);
        eu.questions = questions;
        questions.listening(true);

        RegionAnswers collected = questions.ask(Kind.RESET, Map.of("user_id", "42"), "", "");

        assertThat(collected.answers()).extracting(RegionQueryReply::region).containsExactly("eu");
        assertThat(collected.missing()).containsExactly("us");
    }

    /** Kafka with one limiter, which answers before the question is waited for. */
    private static final class OneAnswers extends QuestionSender {
        private @Nullable RegionQueries questions;

        OneAnswers(RegionsConfig config) {
            super(config, Map.of(), TIME);
        }

        @Override
        void send(PendingQuery open) {
            Objects.requireNonNull(questions)
                    .answered(new RegionQueryReply(open.question().id(), "eu", "a", List.of(), null));
        }
    }

    private static void refused(RegionQueries questions, String reason) {
        assertThatThrownBy(() -> ask(questions))
                .isInstanceOf(RegionsUnavailableException.class)
                .hasMessageContaining(reason);
    }

    private static RegionAnswers ask(RegionQueries questions) {
        return questions.ask(Kind.STATUS, Map.of("user_id", "42"), "", "");
    }

    private static RegionQueries questions(String questionsMax, boolean heard) {
        RegionsConfig config = config(Map.of("meridian.config.regions.questions-max", questionsMax));
        LimiterDirectory instances = new LimiterDirectory(config, TIME);
        if (heard) {
            hear(instances, "eu", "a");
        }
        return new RegionQueries(config, instances, new QuestionSender(config, Map.of(), TIME), TIME);
    }

    private static void hear(LimiterDirectory instances, String region, String name) {
        instances.report(new InstanceReport(region, name, 1, "topic", 0, 0, 0), TIME.wallMicros());
    }

    private static RegionsConfig config(Map<String, String> settings) {
        return new SmallRyeConfigBuilder()
                .addDiscoveredConverters()
                .withMapping(RegionsConfig.class)
                .withDefaultValues(settings)
                .addDefaultInterceptors()
                .build()
                .getConfigMapping(RegionsConfig.class);
    }
}
