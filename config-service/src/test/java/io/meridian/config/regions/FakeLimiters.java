package io.meridian.config.regions;

import io.meridian.model.time.TimeSource;
import io.meridian.model.wire.InstanceReport;
import io.meridian.model.wire.RegionQuery;
import io.meridian.model.wire.RegionQueryReply;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

/** Limiters of several regions as the centre sees them: they report all the time and answer as a test tells them. */
public final class FakeLimiters implements AutoCloseable {
    /** What an instance says to a question, or null for nothing. */
    public interface Script extends Function<RegionQuery, @Nullable RegionQueryReply> {}

    private final KafkaProducer<String, String> producer;
    private final KafkaConsumer<String, String> consumer;
    private final Map<String, InstanceReport> reports = new ConcurrentHashMap<>();
    private final Map<String, Script> scripts = new ConcurrentHashMap<>();
    private final List<RegionQuery> asked = new CopyOnWriteArrayList<>();
    private final Thread thread = new Thread(this::run, "fake-limiters");
    private volatile boolean closed;

    public FakeLimiters(String bootstrapServers) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers))) {
            for (String topic : List.of("reports", "questions", "answers")) {
                make(admin, topic);
            }
        }
        producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", bootstrapServers), new StringSerializer(), new StringSerializer());
        consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", bootstrapServers), new StringDeserializer(), new StringDeserializer());
        consumer.assign(List.of(new TopicPartition("questions", 0)));
        consumer.seekToEnd(consumer.assignment());
        consumer.assignment().forEach(consumer::position);
        thread.start();
    }

    private static void make(Admin admin, String topic) throws Exception {
        try {
            admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1))).all().get(5, TimeUnit.MINUTES);
        } catch (ExecutionException failed) {
            if (!(failed.getCause() instanceof TopicExistsException)) {
                throw failed;
            }
        }
    }

    /** From now on there is this instance, running this revision. */
    public void runs(String region, String instance, long revision, Script script) {
        scripts.put(region + "/" + instance, script);
        reports.put(region + "/" + instance, new InstanceReport(region, instance, revision, "topic", 0, 0, 0));
    }

    /** An instance that runs measures this from now on. */
    public void loops(String region, String instance, InstanceReport.Loop loop) {
        reports.computeIfPresent(
                region + "/" + instance,
                (key, report) -> new InstanceReport(
                        region, instance, report.revision(), "topic", 0, 0, 0, loop, report.keyCheck()));
    }

    /** An instance that runs has answered so many checks at this time of its clock, and knows this leader of partition 0. */
    public void checks(String region, String instance, InstanceReport.Checks checks, long atMicros, String leader) {
        reports.computeIfPresent(
                region + "/" + instance,
                (key, report) -> new InstanceReport(
                        region,
                        instance,
                        report.revision(),
                        "topic",
                        0,
                        atMicros,
                        0,
                        report.loop(),
                        report.keyCheck(),
                        checks,
                        new TreeMap<>(Map.of(0, leader))));
    }

    /** Nothing arrives from an instance any more. */
    public void cut(String region, String instance) {
        reports.remove(region + "/" + instance);
    }

    /** An answer with these limits. */
    public static Script answering(String region, String instance, RegionQueryReply.Standing... limits) {
        return question -> new RegionQueryReply(question.id(), region, instance, List.of(limits), null);
    }

    public List<RegionQuery> asked() {
        return asked;
    }

    /** Says something that is no record of ours. */
    public void babble() {
        send("reports", "{}");
        send("answers", "no JSON");
    }

    private void run() {
        long reportedNanos = 0;
        while (!closed) {
            consumer.poll(Duration.ofMillis(50)).forEach(record -> answer(RegionQuery.decode(record.value())));
            if (TimeSource.system().monotonicNanos() - reportedNanos > 200_000_000L) {
                reportedNanos = TimeSource.system().monotonicNanos();
                reports.values().forEach(report -> send("reports", report.encode()));
            }
        }
    }

    private void answer(RegionQuery question) {
        asked.add(question);
        scripts.values().forEach(script -> {
            RegionQueryReply answer = script.apply(question);
            if (answer != null) {
                send("answers", answer.encode());
            }
        });
    }

    private void send(String topic, String value) {
        Future<?> unused = producer.send(new ProducerRecord<>(topic, value));
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        consumer.close();
        producer.close();
    }
}
