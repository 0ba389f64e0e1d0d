package io.meridian.stack.servers;

import io.meridian.stack.faults.FaultProxies;
import io.meridian.stack.process.Loopback;
import io.meridian.stack.servers.KafkaServer.BrokerSettings;
import io.meridian.stack.servers.KafkaServer.KafkaListener;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;

/** A broker whose places each have a proxy before them, and its clients. */
final class ProxiedKafka {
    private ProxiedKafka() {}

    static BrokerSettings settings(Path folder, FaultProxies proxies, String... places) throws Exception {
        List<KafkaListener> listeners = new ArrayList<>();
        for (String place : places) {
            int port = Loopback.freePort();
            int proxyPort = proxies.add("kafka-" + place, Loopback.at(Loopback.freePort()), Loopback.at(port))
                    .listenPort();
            listeners.add(new KafkaListener(place, port, proxyPort));
        }
        return new BrokerSettings(
                folder.resolve("kafka"),
                folder.resolve("kafka.log"),
                Loopback.freePort(),
                Loopback.freePort(),
                listeners);
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
