package io.meridian.stack.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.stack.fault.FaultProxies;
import io.meridian.stack.process.FreePorts;
import io.meridian.stack.process.Loopback;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.Node;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
class KafkaServerTest {
    private final Path folder;

    KafkaServerTest(@TempDir Path folder) {
        this.folder = folder;
    }

    @Test
    void clients_are_told_the_address_of_the_proxy_they_came_through_and_topics_survive_a_restart() throws Exception {
        try (FaultProxies proxies = FaultProxies.start(FreePorts.take())) {
            KafkaListener centre = proxied(proxies, "centre");
            KafkaListener region = proxied(proxies, "us-east");
            KafkaSettings settings = new KafkaSettings(
                    folder.resolve("kafka"),
                    folder.resolve("kafka.log"),
                    FreePorts.take(),
                    FreePorts.take(),
                    List.of(centre, region));

            try (KafkaServer server = KafkaServer.start(settings)) {
                assertThat(portsToldTo(server.bootstrapServers("centre"))).containsExactly(centre.advertisedPort());
                assertThat(portsToldTo(server.bootstrapServers("us-east"))).containsExactly(region.advertisedPort());
                assertThat(portsToldTo("127.0.0.1:" + region.port())).containsExactly(region.advertisedPort());
                createTopic(server, "kept");
            }
            try (KafkaServer server = KafkaServer.start(settings);
                    Admin admin = admin(server.bootstrapServers("us-east"))) {
                assertThat(admin.listTopics().names().get()).contains("kept");
            }
        }
    }

    private static KafkaListener proxied(FaultProxies proxies, String name) throws Exception {
        int port = FreePorts.take();
        int proxyPort = proxies.add("kafka-" + name, Loopback.at(FreePorts.take()), Loopback.at(port))
                .listenPort();
        return new KafkaListener(name, port, proxyPort);
    }

    private static List<Integer> portsToldTo(String bootstrapServers) throws Exception {
        try (Admin admin = admin(bootstrapServers)) {
            return admin.describeCluster().nodes().get().stream()
                    .map(Node::port)
                    .toList();
        }
    }

    private static void createTopic(KafkaServer server, String name) throws Exception {
        try (Admin admin = admin(server.bootstrapServers("centre"))) {
            admin.createTopics(List.of(new NewTopic(name, 1, (short) 1))).all().get();
        }
    }

    private static Admin admin(String bootstrapServers) {
        return Admin.create(Map.of(
                "bootstrap.servers", bootstrapServers, "default.api.timeout.ms", 20_000, "request.timeout.ms", 10_000));
    }
}
