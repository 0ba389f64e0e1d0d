package io.meridian.limiter.report;

import io.meridian.limiter.LimiterConfig;
import io.meridian.limiter.decide.Centre;
import io.meridian.limiter.decide.ClientLimits;
import io.meridian.limiter.decide.RegionClock;
import io.meridian.limiter.policy.Rulebooks;
import io.meridian.model.hash.KeySecret;
import io.meridian.model.time.TimeSource;
import io.meridian.model.wire.CentreCodec;
import io.meridian.model.wire.ClientAnswer;
import io.meridian.model.wire.InstanceReport;
import io.meridian.service.kafka.KafkaSettings;
import io.meridian.service.kafka.TopicFollower;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.common.annotation.Identifier;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Link to config-service over Kafka: reports of this instance, and answers to questions about clients. Off without a Kafka. */
@Singleton
class ControlLink {
    private static final Logger LOG = Logger.getLogger(ControlLink.class);

    private final ReportConfig config;
    private final Map<String, Object> kafka;
    private final Identity self;
    private final Reporter reporter;
    private final Respondent respondent;
    private final TimeSource time;
    private @Nullable ControlSender sender;
    private @Nullable TopicFollower<String, String> questions;

    ControlLink(
            ReportConfig config,
            LimiterConfig limiter,
            KeySecret secret,
            @Identifier("default-kafka-broker") Map<String, Object> kafka,
            Rulebooks rulebooks,
            ClientLimits limits,
            RegionClock clock,
            Centre centre,
            TimeSource time) {
        this.config = config;
        this.kafka = kafka;
        this.self = Identity.of(limiter, time);
        this.reporter = new Reporter(self, secret.check(), rulebooks, clock, centre, time, config.interval());
        this.respondent = new Respondent(self, limits, time, config.questionsMax(), this::answer);
        this.time = time;
    }

    void start(@Observes StartupEvent started) {
        if (config.bootstrapServers().isEmpty()) {
            LOG.info("config-service does not know of this instance: kafka.bootstrap.servers is not set");
            return;
        }
        String servers = config.bootstrapServers().get();
        sender = new ControlSender(ControlSender.settings(kafka, servers), config.answersMax(), this::report, time);
        questions = new TopicFollower<>(
                "questions",
                "the topic " + config.questionsTopic() + " cannot be read now, nobody can ask this instance",
                questionSettings(kafka, servers),
                // Older questions are not for this process.
                List.of(TopicFollower.Start.atEnd(config.questionsTopic())),
                this::take,
                time);
        sender.start();
        questions.start();
    }

    /** Every instance reads all of it. */
    private static KafkaSettings questionSettings(Map<String, Object> kafka, String bootstrapServers) {
        return KafkaSettings.consumer(kafka, bootstrapServers, "limiter-questions")
                .readingTexts()
                .with(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "latest")
                .fetching(500, 1 << 20, 4 << 20);
    }

    private void take(ConsumerRecords<String, String> records) {
        for (ConsumerRecord<String, String> record : records) {
            if (record.value() != null) {
                respondent.asked(record.value());
            }
        }
    }

    private @Nullable ProducerRecord<String, String> report() {
        InstanceReport due = reporter.due();
        return due == null ? null : new ProducerRecord<>(config.topic(), self.key(), CentreCodec.encode(due));
    }

    private void answer(ClientAnswer answer) {
        ControlSender taker = sender;
        if (taker == null
                || !taker.offer(
                        new ProducerRecord<>(config.answersTopic(), answer.questionId(), CentreCodec.encode(answer)))) {
            LOG.warnf("too many answers wait for Kafka, one is dropped: question=%s", answer.questionId());
        }
    }

    @PreDestroy
    void stop() {
        if (questions != null) {
            questions.close();
        }
        if (sender != null) {
            sender.close();
        }
    }
}
