package io.meridian.config.regions;

import io.meridian.model.time.TimeSource;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.common.annotation.Identifier;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Listens to the limiters on a thread of its own, for ever; a Kafka that is away is waited for. */
@Singleton
class RegionListener {
    private static final Logger LOG = Logger.getLogger(RegionListener.class);
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);

    private final RegionsConfig config;
    private final Map<String, Object> kafka;
    private final LimiterDirectory limiters;
    private final RegionQueries queries;
    private final TimeSource time;
    private final Thread thread = new Thread(this::run, "regions");
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile @Nullable KafkaConsumer<String, String> consumer;
    private String told = "";

    RegionListener(
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
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        Map<String, Object> options =
                KafkaOptions.consumer(kafka, config.bootstrapServers().orElseThrow());
        while (closed.getCount() > 0) {
            try (KafkaConsumer<String, String> own = new KafkaConsumer<>(options)) {
                consumer = own;
                listen(new RegionReader(own, config, limiters, queries::answered, time));
            } catch (WakeupException | InterruptException ending) {
                LOG.debug("listening ends");
            } catch (RuntimeException away) {
                pause(away instanceof KafkaException ? "cannot be read now" : "cannot be read: " + away);
            } finally {
                queries.listening(false);
            }
        }
    }

    private void listen(RegionReader reader) {
        if (!reader.open()) {
            pause("do not exist");
            return;
        }
        told = "";
        queries.listening(true);
        while (closed.getCount() > 0) {
            reader.read();
        }
    }

    /** What has not changed is told once. */
    private void pause(String reason) {
        if (!told.equals(reason)) {
            told = reason;
            LOG.warnf(
                    "the limiters' topics %s; no region is heard of: topics=%s, %s",
                    reason, config.reportsTopic(), config.answersTopic());
        }
        try {
            boolean unused = closed.await(PAUSE.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            closed.countDown();
        }
    }

    void stop(@Observes ShutdownEvent ending) {
        closed.countDown();
        KafkaConsumer<String, String> reading = consumer;
        if (reading != null) {
            reading.wakeup();
        }
        try {
            thread.join(CLOSE_TIMEOUT.toMillis());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
