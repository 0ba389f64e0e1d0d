package io.meridian.stack.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.stack.fault.FaultProxies;
import io.meridian.stack.process.FreePorts;
import java.nio.file.Path;
import java.util.List;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.Node;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
class KafkaServerTest {
    private static final int TIMEOUT_MILLIS = 20_000;

    private final Path folder;

    KafkaServerTest(@TempDir Path folder) {
        this.folder = folder;
    }

    @Test
    void clients_are_told_the_address_of_the_proxy_they_came_through_and_topics_survive_a_restart() throws Exception {
        try (FaultProxies proxies = FaultProxies.start(FreePorts.take())) {
            KafkaSettings settings = ProxiedKafka.settings(folder, proxies, "centre", "us-east");
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
