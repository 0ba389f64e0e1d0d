package io.meridian.stack.servers;

import static io.meridian.testkit.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.meridian.stack.faults.FaultProxies;
import io.meridian.stack.process.Loopback;
import io.meridian.stack.servers.KafkaServer.BrokerSettings;
import io.meridian.stack.servers.KafkaServer.KafkaListener;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(600)
class KafkaServerTest {
    private static final int TIMEOUT_MILLIS = 120_000;

    private final Path folder;

    KafkaServerTest(@TempDir Path folder) {
        this.folder = folder;
    }

    @Test
    void clients_are_told_the_address_of_the_proxy_they_came_through_and_topics_survive_a_restart() throws Exception {
        try (FaultProxies proxies = FaultProxies.start(Loopback.freePort())) {
            BrokerSettings settings = ProxiedKafka.settings(folder, proxies, "centre", "us-east");
            KafkaListener centre = settings.listeners().get(0);
            KafkaListener region = settings.listeners().get(1);

            try (KafkaServer server = KafkaServer.start(settings)) {
                assertThat(portsToldTo(server.bootstrapServers("centre"))).containsExactly(centre.advertisedPort());
                assertThat(portsToldTo(server.bootstrapServers("us-east"))).containsExactly(region.advertisedPort());
                assertThat(portsToldTo("127.0.0.1:" + region.port())).containsExactly(region.advertisedPort());
                createTopic(server, "kept");
            }
            try (KafkaServer server = KafkaServer.start(settings);
                    Admin admin = ProxiedKafka.admin(server.bootstrapServers("us-east"), TIMEOUT_MILLIS)) {
                assertThat(admin.listTopics().names().get()).contains("kept");
            }
        }
    }

    @Test
    void records_of_every_compression_that_the_services_use_are_taken_and_read() throws Exception {
        int port = Loopback.freePort();
        BrokerSettings settings = new BrokerSettings(
                folder.resolve("kafka"),
                folder.resolve("kafka.log"),
                Loopback.freePort(),
                Loopback.freePort(),
                List.of(new KafkaListener("centre", port, port)));
        try (KafkaServer server = KafkaServer.start(settings)) {
            Topics.ensure(server.internalAddress());
            Topics.ensure(server.internalAddress());

            // In a compacted topic the broker looks into every batch, so it has to unpack it.
            produce(server, "usage", "none");
            produce(server, "usage", "lz4");
            produce(server, "violations", "lz4");

            assertThat(read(server, "usage")).containsExactlyInAnyOrder("none", "lz4");
            assertThat(read(server, "violations")).containsExactly("lz4");
            assertThat(partitions(server))
                    .containsOnly(
                            entry("policies", 1),
                            entry("violations", 4),
                            entry("usage", 16),
                            entry("verdicts", 16),
                            entry("reports", 1),
                            entry("questions", 1),
                            entry("answers", 1),
                            entry("operations", 1));
        }
    }

    private static void produce(KafkaServer server, String topic, String compression) throws Exception {
        Map<String, Object> options = Map.of(
                "bootstrap.servers",
                server.bootstrapServers("centre"),
                "compression.type",
                compression,
                "delivery.timeout.ms",
                TIMEOUT_MILLIS,
                "request.timeout.ms",
                TIMEOUT_MILLIS / 2);
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(options, new StringSerializer(), new StringSerializer())) {
            producer.send(new ProducerRecord<>(topic, compression, compression)).get();
        }
    }

    private static List<String> read(KafkaServer server, String topic) throws Exception {
        List<String> values = new ArrayList<>();
        try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", server.bootstrapServers("centre")),
                new StringDeserializer(),
                new StringDeserializer())) {
            List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                    .map(partition -> new TopicPartition(topic, partition.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            long written = consumer.endOffsets(partitions).values().stream()
                    .mapToLong(Long::longValue)
                    .sum();
            eventually(topic + " is read").until(() -> {
                consumer.poll(Duration.ofMillis(100)).forEach(record -> values.add(record.value()));
                return values.size() >= written;
            });
        }
        return values;
    }

    private static Map<String, Integer> partitions(KafkaServer server) throws Exception {
        try (Admin admin = ProxiedKafka.admin(server.bootstrapServers("centre"), TIMEOUT_MILLIS)) {
            Map<String, Integer> partitions = new HashMap<>();
            admin.describeTopics(admin.listTopics().names().get())
                    .allTopicNames()
                    .get()
                    .forEach((name, topic) ->
                            partitions.put(name, topic.partitions().size()));
            return partitions;
        }
    }

    private static List<Integer> portsToldTo(String bootstrapServers) throws Exception {
        try (Admin admin = ProxiedKafka.admin(bootstrapServers, TIMEOUT_MILLIS)) {
            return admin.describeCluster().nodes().get().stream()
                    .map(Node::port)
                    .toList();
        }
    }

    private static void createTopic(KafkaServer server, String name) throws Exception {
        try (Admin admin = ProxiedKafka.admin(server.bootstrapServers("centre"), TIMEOUT_MILLIS)) {
            admin.createTopics(List.of(new NewTopic(name, 1, (short) 1))).all().get();
        }
    }
}
