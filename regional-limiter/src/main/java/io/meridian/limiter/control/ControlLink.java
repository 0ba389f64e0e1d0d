package io.meridian.limiter.control;

import io.meridian.limiter.LimiterConfig;
import io.meridian.limiter.LimiterConfig.ReportConfig;
import io.meridian.limiter.control.InstanceReporter.InstanceIdentity;
import io.meridian.limiter.metrics.LimiterMetrics;
import io.meridian.limiter.operations.ClientLimits;
import io.meridian.limiter.region.Ports.LeaderContact;
import io.meridian.limiter.region.RegionClock;
import io.meridian.limiter.rules.RulesInEffect;
import io.meridian.model.hash.KeySecret;
import io.meridian.model.time.TimeSource;
import io.meridian.model.wire.InstanceReport;
import io.meridian.model.wire.RegionQueryReply;
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

/** Lifecycle of the reports to config-service and of the answers to its queries, where Kafka is configured. */
@Singleton
class ControlLink {
    private static final Logger LOG = Logger.getLogger(ControlLink.class);

    private final ReportConfig config;
    private final Map<String, Object> kafka;
    private final InstanceIdentity self;
    private final InstanceReporter reporter;
    private final ClientQueries respondent;
    private final TimeSource time;
    private @Nullable ControlSender sender;
    private @Nullable TopicFollower<String, String> questions;

    ControlLink(
            ReportConfig config,
            LimiterConfig limiter,
            KeySecret secret,
            @Identifier("default-kafka-broker") Map<String, Object> kafka,
            RulesInEffect rulesInEffect,
            ClientLimits limits,
            RegionClock clock,
            LeaderContact leader,
            LimiterMetrics metrics,
            TimeSource time) {
        this.config = config;
        this.kafka = kafka;
        this.self = InstanceIdentity.of(limiter, time);
        this.reporter = new InstanceReporter(
                self,
                secret.check(),
                rulesInEffect,
                clock,
                leader,
                metrics.checks()::reported,
                time,
                config.interval());
        this.respondent = new ClientQueries(self, limits, time, config.questionsMax(), this::answer);
        this.time = time;
    }

    void start(@Observes StartupEvent started) {
        if (config.bootstrapServers().isEmpty()) {
            LOG.info("Nothing is reported to config-service: kafka.bootstrap.servers is not set");
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
        return due == null ? null : new ProducerRecord<>(config.topic(), self.key(), due.encode());
    }

    private void answer(RegionQueryReply answer) {
        ControlSender taker = sender;
        if (taker == null
                || !taker.offer(new ProducerRecord<>(config.answersTopic(), answer.queryId(), answer.encode()))) {
            LOG.warnf("too many answers wait for Kafka, one is dropped: question=%s", answer.queryId());
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
