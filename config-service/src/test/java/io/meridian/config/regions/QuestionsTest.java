package io.meridian.config.regions;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.model.time.TimeSource;
import io.meridian.model.wire.ClientQuestion.Kind;
import io.meridian.model.wire.InstanceReport;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Why nobody is asked; that limiters are, and answer, is seen through the API. */
class QuestionsTest {
    @Test
    void nobody_is_asked_whose_answer_could_not_be_heard() {
        refused(questions("100", true), "cannot be read now");
    }

    @Test
    void nobody_is_asked_where_nobody_is() {
        Questions questions = questions("100", false);
        questions.listening(true);

        refused(questions, "no limiter was heard of in the last PT5S");
    }

    @Test
    void nobody_is_asked_without_a_kafka_and_the_place_is_free_again() {
        Questions questions = questions("1", true);
        questions.listening(true);

        refused(questions, "kafka.bootstrap.servers is not set");
        refused(questions, "kafka.bootstrap.servers is not set");
    }

    @Test
    void one_question_too_many_is_refused() {
        Questions questions = questions("0", true);
        questions.listening(true);

        assertThatThrownBy(() -> ask(questions)).isInstanceOfSatisfying(RegionsAway.class, away -> {
            if (!away.isBusy()) {
                throw new AssertionError(away);
            }
        });
    }

    private static void refused(Questions questions, String reason) {
        assertThatThrownBy(() -> ask(questions)).isInstanceOf(RegionsAway.class).hasMessageContaining(reason);
    }

    private static Collected ask(Questions questions) {
        return questions.ask(Kind.STATUS, Map.of("user_id", "42"), "", "");
    }

    private static Questions questions(String questionsMax, boolean heard) {
        TimeSource time = TimeSource.system();
        RegionsConfig config = new SmallRyeConfigBuilder()
                .addDiscoveredConverters()
                .withMapping(RegionsConfig.class)
                .withDefaultValues(Map.of("meridian.config.regions.questions-max", questionsMax))
                .addDefaultInterceptors()
                .build()
                .getConfigMapping(RegionsConfig.class);
        Instances instances = new Instances(config, time);
        if (heard) {
            instances.heard(new InstanceReport("eu", "a", 1, "topic", 0, 0, 0), time.wallMicros());
        }
        return new Questions(config, instances, new QuestionSender(config, Map.of()), time);
    }
}
