package io.meridian.config.live;

import io.meridian.config.history.HistoryConfig;
import io.meridian.model.time.TimeSource;
import io.meridian.model.wire.ViolationRecord;
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
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.jspecify.annotations.Nullable;

/** Reader of the topic of violations from its end on. Every replica reads all of it; what cannot be read is skipped, the intake counts it. */
@Singleton
class ViolationFollower implements TopicFollower.Handler<byte[], byte[]> {
    private final HistoryConfig config;
    private final Map<String, Object> kafka;
    private final LiveFeed feed;
    private final TimeSource time;
    private @Nullable TopicFollower<byte[], byte[]> follower;

    ViolationFollower(
            HistoryConfig config,
            @Identifier("default-kafka-broker") Map<String, Object> kafka,
            LiveFeed feed,
            TimeSource time) {
        this.config = config;
        this.kafka = kafka;
        this.feed = feed;
        this.time = time;
    }

    void start(@Observes StartupEvent started) {
        if (config.bootstrapServers().isEmpty()) {
            return;
        }
        follower = new TopicFollower<>(
                "live-violations",
                "the topic " + config.violationsTopic() + " cannot be read now, the live view shows no denials",
                KafkaSettings.consumer(kafka, config.bootstrapServers().get(), "config-live")
                        .readingBytes()
                        .with(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "latest")
                        .fetching(5_000, 1 << 20, 4 << 20),
                List.of(TopicFollower.Start.atEnd(config.violationsTopic())),
                this,
                time);
        follower.start();
    }

    @Override
    public void take(ConsumerRecords<byte[], byte[]> records) {
        for (ConsumerRecord<byte[], byte[]> record : records) {
            if (record.key() != null && record.value() != null) {
                add(record);
            }
        }
    }

    private void add(ConsumerRecord<byte[], byte[]> record) {
        try {
            feed.denied(ViolationRecord.decode(record.key(), record.value()));
        } catch (WireException unreadable) {
            // Counted by the intake.
        }
    }

    void stop(@Observes ShutdownEvent stopping) {
        if (follower != null) {
            follower.close();
        }
    }
}
