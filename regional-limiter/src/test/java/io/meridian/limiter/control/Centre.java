package io.meridian.limiter.control;

import io.meridian.limiter.kafka.WholeTopic;
import io.meridian.model.wire.InstanceReport;
import io.meridian.model.wire.RegionQuery;
import io.meridian.model.wire.RegionQueryReply;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** The centre as a limiter sees it: what it wrote to its topics, and a voice to ask with. */
final class Centre implements AutoCloseable {
    private static final List<String> TOPICS = List.of("policies", "reports", "questions", "answers");

    private final KafkaProducer<String, String> producer;
    private final KafkaConsumer<String, String> consumer;
    private final List<InstanceReport> reports = new ArrayList<>();
    private final List<RegionQueryReply> answers = new ArrayList<>();

    Centre(String bootstrapServers) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers))) {
            for (String topic : TOPICS) {
                make(admin, topic);
            }
        }
        WholeTopic.tell(bootstrapServers, "policies");
        this.producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", bootstrapServers), new StringSerializer(), new StringSerializer());
        this.consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", bootstrapServers), new StringDeserializer(), new StringDeserializer());
        consumer.assign(List.of(new TopicPartition("reports", 0), new TopicPartition("answers", 0)));
        consumer.seekToBeginning(consumer.assignment());
    }

    private static void make(Admin admin, String topic) throws Exception {
        try {
            admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1))).all().get(120, TimeUnit.SECONDS);
        } catch (ExecutionException failed) {
            if (!(failed.getCause() instanceof TopicExistsException)) {
                throw failed;
            }
        }
    }

    void publish(String key, String value, long revision) throws Exception {
        ProducerRecord<String, String> record = new ProducerRecord<>("policies", key, value);
        record.headers().add("revision", Long.toString(revision).getBytes(StandardCharsets.UTF_8));
        producer.send(record).get(120, TimeUnit.SECONDS);
    }

    void ask(RegionQuery question) throws Exception {
        ask(question.encode());
    }

    void ask(String text) throws Exception {
        producer.send(new ProducerRecord<>("questions", text)).get(120, TimeUnit.SECONDS);
    }

    List<InstanceReport> reports() {
        read();
        return reports;
    }

    List<RegionQueryReply> answers() {
        read();
        return answers;
    }

    private void read() {
        consumer.poll(Duration.ofMillis(100)).forEach(record -> {
            if (record.topic().equals("reports")) {
                reports.add(InstanceReport.decode(record.value()));
            } else {
                answers.add(RegionQueryReply.decode(record.value()));
            }
        });
    }

    @Override
    public void close() {
        producer.close();
        consumer.close();
    }
}
