package io.meridian.limiter.rules.source;

import static io.meridian.testkit.Await.eventually;

import io.meridian.limiter.kafka.WholeTopic;
import io.meridian.model.rules.RuleEntry;
import io.meridian.model.wire.EntryCodec;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

/** A policies topic, as the config-service would keep it. */
final class PolicyTopic implements AutoCloseable {
    private final String bootstrapServers;
    private final String name;
    private final KafkaProducer<String, String> producer;

    PolicyTopic(String bootstrapServers, String name) {
        this.bootstrapServers = bootstrapServers;
        this.name = name;
        this.producer = new KafkaProducer<>(Map.of(
                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                bootstrapServers,
                ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG,
                StringSerializer.class,
                ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG,
                StringSerializer.class,
                ProducerConfig.ACKS_CONFIG,
                "all",
                ProducerConfig.LINGER_MS_CONFIG,
                20,
                ProducerConfig.COMPRESSION_TYPE_CONFIG,
                "lz4"));
    }

    String name() {
        return name;
    }

    /** One that is whole: what is put into it afterwards is a change. */
    void create(int partitions) throws Exception {
        createUntold(partitions);
        tellWhole();
    }

    /** As the publisher does when the topic has everything. */
    void tellWhole() throws Exception {
        WholeTopic.tell(bootstrapServers, name);
    }

    /** One of which nobody has said that it is whole. */
    void createUntold(int partitions) throws Exception {
        NewTopic topic = new NewTopic(name, partitions, (short) 1).configs(Map.of("cleanup.policy", "compact"));
        try (Admin admin = admin()) {
            admin.createTopics(List.of(topic)).all().get(120, TimeUnit.SECONDS);
        }
    }

    void delete() throws Exception {
        try (Admin admin = admin()) {
            admin.deleteTopics(List.of(name)).all().get(120, TimeUnit.SECONDS);
            eventually("the topic is gone").until(() -> {
                try {
                    return !admin.listTopics()
                            .names()
                            .get(120, TimeUnit.SECONDS)
                            .contains(name);
                } catch (Exception failed) {
                    throw new AssertionError(failed);
                }
            });
        }
    }

    void put(RuleEntry entry) {
        send(EntryCodec.key(entry.key()), EntryCodec.value(entry));
    }

    void put(RuleEntry entry, long revision) {
        send(EntryCodec.key(entry.key()), EntryCodec.value(entry), revision);
    }

    void send(String key, @Nullable String value, long revision) {
        ProducerRecord<String, String> record = new ProducerRecord<>(name, key, value);
        record.headers().add("revision", Long.toString(revision).getBytes(StandardCharsets.UTF_8));
        send(record);
    }

    /** A marker that names the topic by this identity. */
    void sendOfTopic(String key, String value, String identity) {
        ProducerRecord<String, String> record = new ProducerRecord<>(name, key, value);
        record.headers().add("topic", identity.getBytes(StandardCharsets.UTF_8));
        send(record);
    }

    void remove(RuleEntry.Key key) {
        send(EntryCodec.key(key), null);
    }

    void send(String key, @Nullable String value) {
        send(new ProducerRecord<>(name, key, value));
    }

    private void send(ProducerRecord<String, String> record) {
        Future<?> unused = producer.send(record, (sent, failure) -> {
            if (failure != null) {
                throw new AssertionError(failure);
            }
        });
    }

    void flush() {
        producer.flush();
    }

    private Admin admin() {
        return Admin.create(Map.of("bootstrap.servers", bootstrapServers));
    }

    @Override
    public void close() {
        producer.close();
    }
}
