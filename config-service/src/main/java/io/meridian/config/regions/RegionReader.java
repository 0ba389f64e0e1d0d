package io.meridian.config.regions;

import io.meridian.model.time.TimeSource;
import io.meridian.model.wire.InstanceReport;
import io.meridian.model.wire.RegionQueryReply;
import io.meridian.model.wire.WireException;
import io.meridian.service.kafka.KafkaSettings;
import io.meridian.service.kafka.TopicFollower;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.common.annotation.Identifier;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Reader of the limiters' topics: reports from a while ago on, answers from now on. What cannot be read is skipped. */
@Singleton
class RegionReader implements TopicFollower.Handler<String, String> {
    private static final Logger LOG = Logger.getLogger(RegionReader.class);

    private final RegionsConfig config;
    private final Map<String, Object> kafka;
    private final LimiterDirectory limiters;
    private final RegionQueries queries;
    private final TimeSource time;
    private @Nullable TopicFollower<String, String> follower;
    private Map<TopicPartition, Long> ends = Map.of();
    private boolean skippedLogged;

    RegionReader(
            RegionsConfig config,
            @Identifier("default-kafka-broker") Map<String, Object> kafka,
            LimiterDirectory limiters,
            RegionQueries queries,
            TimeSource time) {
        this.config = config;
        this.kafka = kafka;
        this.limiters = limiters;
        this.queries = queries;
        this.time = time;
    }

    void start(@Observes StartupEvent started) {
        if (config.bootstrapServers().isEmpty()) {
            LOG.info("No region is heard of: kafka.bootstrap.servers is not set");
            return;
        }
        follower = new TopicFollower<>(
                "regions",
                "the topics " + config.reportsTopic() + " and " + config.answersTopic()
                        + " cannot be read now, no region is heard of",
                settings(config.bootstrapServers().get()),
                List.of(
                        new TopicFollower.Start(config.reportsTopic(), config.forgetAfter()),
                        TopicFollower.Start.atEnd(config.answersTopic())),
                this,
                time);
        follower.start();
    }

    /** Every replica hears all. */
    private KafkaSettings settings(String bootstrapServers) {
        return KafkaSettings.consumer(kafka, bootstrapServers, "config-regions")
                .readingTexts()
                .with(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "latest")
                .fetching(5_000, 4 << 20, 8 << 20);
    }

    @Override
    public void began(Map<TopicPartition, Long> at) {
        ends = at;
        queries.listening(true);
    }

    @Override
    public void take(ConsumerRecords<String, String> records) {
        for (ConsumerRecord<String, String> record : records) {
            try {
                take(record);
            } catch (WireException unreadable) {
                skip(unreadable);
            }
        }
    }

    private void take(ConsumerRecord<String, String> record) {
        if (record.value() == null) {
            return;
        }
        if (record.topic().equals(config.answersTopic())) {
            queries.answered(RegionQueryReply.decode(record.value()));
        } else {
            limiters.report(InstanceReport.decode(record.value()), heardMicros(record));
        }
    }

    /** Time of a record: its timestamp, at most now, if it was in the topic before this reader began, else now by this process's clock. */
    private long heardMicros(ConsumerRecord<String, String> record) {
        long nowMicros = time.wallMicros();
        boolean before =
                record.offset() < ends.getOrDefault(new TopicPartition(record.topic(), record.partition()), 0L);
        return before ? Math.min(nowMicros, TimeUnit.MILLISECONDS.toMicros(record.timestamp())) : nowMicros;
    }

    /** A million of them are logged once. */
    private void skip(WireException unreadable) {
        if (!skippedLogged) {
            skippedLogged = true;
            LOG.warnf("a record of a limiter is skipped, further ones silently: reason=%s", unreadable.getMessage());
        }
    }

    @Override
    public void ended() {
        queries.listening(false);
    }

    void stop(@Observes ShutdownEvent ending) {
        if (follower != null) {
            follower.close();
        }
    }
}
