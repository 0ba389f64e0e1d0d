package io.meridian.stack;

import io.meridian.stack.ManagedPart.PartLaunch;
import io.meridian.stack.ManagedPart.StartedPart;
import io.meridian.stack.plan.PartNames;
import io.meridian.stack.plan.PortPlan;
import io.meridian.stack.plan.Regions;
import io.meridian.stack.process.Loopback;
import io.meridian.stack.servers.KafkaServer;
import io.meridian.stack.servers.KafkaServer.BrokerSettings;
import io.meridian.stack.servers.KafkaServer.KafkaListener;
import io.meridian.stack.servers.PostgresServer;
import io.meridian.stack.servers.PostgresServer.PostgresSettings;
import io.meridian.stack.servers.ProbeKind;
import io.meridian.stack.servers.RedisServer;
import io.meridian.stack.servers.RedisServer.RedisSettings;
import io.meridian.stack.servers.Server.Durability;
import io.meridian.stack.servers.Topics;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** PostgreSQL, Kafka and the regions' Redises of a stack. */
record ServerParts(StateFolder folder, List<String> regions, PortPlan ports) {
    /** Kafka first: it takes longest. */
    List<PartLaunch> all() {
        List<PartLaunch> parts = new ArrayList<>();
        parts.add(new PartLaunch(PartNames.KAFKA, this::kafka));
        parts.add(new PartLaunch(PartNames.POSTGRES, this::postgres));
        regions.forEach(region -> parts.add(new PartLaunch(PartNames.redis(region), forked -> redis(region, forked))));
        return parts;
    }

    private void postgres(Consumer<StartedPart> forked) {
        String name = PartNames.POSTGRES;
        PostgresServer.start(
                new PostgresSettings(folder.data(name), folder.log(name), ports.of(name), Durability.KEPT),
                server -> forked.accept(new StartedPart(
                        name, server.reactiveUrl(), server.process(), ProbeKind.POSTGRES, server.jdbcUrl())));
    }

    private void redis(String region, Consumer<StartedPart> forked) {
        String name = PartNames.redis(region);
        RedisServer.start(
                new RedisSettings(name, folder.data(name), folder.log(name), ports.of(name), Durability.KEPT),
                server -> forked.accept(new StartedPart(
                        name, server.url(), server.process(), ProbeKind.REDIS, Integer.toString(server.port()))));
    }

    private void kafka(Consumer<StartedPart> forked) {
        String name = PartNames.KAFKA;
        List<KafkaListener> listeners = Regions.places(regions).stream()
                .map(place -> new KafkaListener(
                        place, ports.of(PartNames.kafkaBroker(place)), ports.of(PartNames.kafka(place))))
                .toList();
        BrokerSettings settings = new BrokerSettings(
                folder.data(name),
                folder.log(name),
                ports.of(PartNames.KAFKA_CONTROLLER),
                ports.of(PartNames.KAFKA_INTERNAL),
                listeners);
        String address = Loopback.HOST + ":" + ports.of(PartNames.kafka(Regions.CENTRE));
        KafkaServer kafka = KafkaServer.start(
                settings,
                server -> forked.accept(
                        new StartedPart(name, address, server.process(), ProbeKind.KAFKA, server.internalAddress())));
        Topics.ensure(kafka.internalAddress());
    }
}
