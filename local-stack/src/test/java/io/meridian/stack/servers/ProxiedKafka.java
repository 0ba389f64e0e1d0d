package io.meridian.stack.servers;

import io.meridian.stack.faults.FaultProxies;
import io.meridian.stack.process.FreePorts;
import io.meridian.stack.process.Loopback;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;

/** A broker whose places each have a proxy before them, and its clients. */
final class ProxiedKafka {
    private ProxiedKafka() {}

    static KafkaSettings settings(Path folder, FaultProxies proxies, String... places) throws Exception {
        List<KafkaListener> listeners = new ArrayList<>();
        for (String place : places) {
            int port = FreePorts.take();
            int proxyPort = proxies.add("kafka-" + place, Loopback.at(FreePorts.take()), Loopback.at(port))
                    .listenPort();
            listeners.add(new KafkaListener(place, port, proxyPort));
        }
        return new KafkaSettings(
                folder.resolve("kafka"), folder.resolve("kafka.log"), FreePorts.take(), FreePorts.take(), listeners);
    }

    static Admin admin(String bootstrapServers, int timeoutMillis) {
        return Admin.create(Map.of(
                "bootstrap.servers",
                bootstrapServers,
                "default.api.timeout.ms",
                timeoutMillis,
                "request.timeout.ms",
                timeoutMillis));
    }
}
