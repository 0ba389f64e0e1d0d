package io.meridian.limiter.report;

import io.meridian.limiter.LimiterConfig;
import io.meridian.limiter.LimiterConfig.ReportConfig;
import io.meridian.limiter.operations.ClientLimits;
import io.meridian.limiter.policy.RulesInEffect;
import io.meridian.limiter.region.Ports.LeaderContact;
import io.meridian.limiter.region.RegionClock;
import io.meridian.limiter.report.InstanceReporter.InstanceIdentity;
import io.meridian.model.hash.KeySecret;
import io.meridian.model.time.TimeSource;
import io.meridian.model.wire.CentreCodec;
import io.meridian.model.wire.ClientAnswer;
import io.meridian.model.wire.InstanceReport;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.common.annotation.Identifier;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.Map;
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
    private @Nullable Courier courier;
    private @Nullable QuestionReader reader;

    ControlLink(
            ReportConfig config,
            LimiterConfig limiter,
            KeySecret secret,
            @Identifier("default-kafka-broker") Map<String, Object> kafka,
            RulesInEffect rulesInEffect,
            ClientLimits limits,
            RegionClock clock,
            LeaderContact leader,
            TimeSource time) {
        this.config = config;
        this.kafka = kafka;
        this.self = InstanceIdentity.of(limiter, time);
        this.reporter =
                new InstanceReporter(self, secret.check(), rulesInEffect, clock, leader, time, config.interval());
        this.respondent = new ClientQueries(self, limits, time, config.questionsMax(), this::answer);
        this.time = time;
    }

    void start(@Observes StartupEvent started) {
        if (config.bootstrapServers().isEmpty()) {
            LOG.info("Nothing is reported to config-service: kafka.bootstrap.servers is not set");
            return;
        }
        String servers = config.bootstrapServers().get();
        courier = new Courier(KafkaOptions.producer(kafka, servers), config.answersMax(), this::report, time);
        reader = new QuestionReader(KafkaOptions.consumer(kafka, servers), config.questionsTopic(), respondent::asked);
        courier.start();
        reader.start();
    }

    private @Nullable ProducerRecord<String, String> report() {
        InstanceReport due = reporter.due();
        return due == null ? null : new ProducerRecord<>(config.topic(), self.key(), CentreCodec.encode(due));
    }

    private void answer(ClientAnswer answer) {
        Courier taker = courier;
        if (taker == null
                || !taker.offer(
                        new ProducerRecord<>(config.answersTopic(), answer.questionId(), CentreCodec.encode(answer)))) {
            LOG.warnf("too many answers wait for Kafka, one is dropped: question=%s", answer.questionId());
        }
    }

    @PreDestroy
    void stop() {
        if (reader != null) {
            reader.close();
        }
        if (courier != null) {
            courier.close();
        }
    }
}
