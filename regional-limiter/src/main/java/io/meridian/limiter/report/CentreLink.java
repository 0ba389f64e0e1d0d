package io.meridian.limiter.report;

import io.meridian.limiter.LimiterConfig;
import io.meridian.limiter.decide.Centre;
import io.meridian.limiter.decide.ClientLimits;
import io.meridian.limiter.decide.RegionClock;
import io.meridian.limiter.policy.Rulebooks;
import io.meridian.model.hash.KeySecret;
import io.meridian.model.time.TimeSource;
import io.meridian.model.wire.InstanceReport;
import io.meridian.model.wire.RegionQueryReply;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.common.annotation.Identifier;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Keeps the centre informed and answers it, as long as the limiter runs and if there is a Kafka. */
@Singleton
class CentreLink {
    private static final Logger LOG = Logger.getLogger(CentreLink.class);

    private final ReportConfig config;
    private final Map<String, Object> kafka;
    private final Identity self;
    private final Reporter reporter;
    private final Respondent respondent;
    private final TimeSource time;
    private @Nullable Courier courier;
    private @Nullable QuestionReader reader;

    CentreLink(
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
            LOG.info("The centre does not hear of this instance: kafka.bootstrap.servers is not set");
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
        return due == null ? null : new ProducerRecord<>(config.topic(), self.key(), due.encode());
    }

    private void answer(RegionQueryReply answer) {
        Courier taker = courier;
        if (taker == null
                || !taker.offer(
                        new ProducerRecord<>(config.answersTopic(), answer.queryId(), answer.encode()))) {
            LOG.warnf("too many answers wait for Kafka, one is dropped: question=%s", answer.queryId());
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
