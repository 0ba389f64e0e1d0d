package io.meridian.stack.servers;

import io.meridian.stack.process.Loopback;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The broker's settings: one node that is broker and controller, small and quick to start. */
final class KafkaProperties {
    private static final String CONTROLLER = "CONTROLLER";
    private static final String INTERNAL = "INTERNAL";
    private static final String NODE = "1";
    private static final String INTERNAL_TOPIC_PARTITIONS = "8";

    private final KafkaSettings settings;
    private final Properties properties = new Properties();

    private KafkaProperties(KafkaSettings settings) {
        this.settings = settings;
    }

    static Properties of(KafkaSettings settings) {
        KafkaProperties broker = new KafkaProperties(settings);
        broker.node();
        broker.doors();
        broker.oneCopyOfEverything();
        broker.quick();
        broker.small();
        return broker.properties;
    }

    static Path write(KafkaSettings settings) throws IOException {
        Path file = settings.directory().resolve("server.properties");
        try (Writer writer = Files.newBufferedWriter(file)) {
            of(settings).store(writer, null);
        }
        return file;
    }

    private void node() {
        set("process.roles", "broker,controller");
        set("node.id", NODE);
        set("controller.quorum.voters", NODE + "@" + Loopback.HOST + ":" + settings.controllerPort());
        set("log.dirs", settings.directory().resolve("data").toString());
        set("auto.create.topics.enable", "false");
    }

    private void doors() {
        KafkaListener controller =
                new KafkaListener("controller", settings.controllerPort(), settings.controllerPort());
        KafkaListener internal = new KafkaListener("internal", settings.internalPort(), settings.internalPort());
        set("controller.listener.names", CONTROLLER);
        set("inter.broker.listener.name", INTERNAL);
        set("listeners", join(door -> address(door, door.port()), controller, internal));
        set("advertised.listeners", join(door -> address(door, door.advertisedPort()), internal));
        set("listener.security.protocol.map", join(door -> door.brokerName() + ":PLAINTEXT", controller, internal));
    }

    private void oneCopyOfEverything() {
        set("default.replication.factor", "1");
        set("min.insync.replicas", "1");
        set("offsets.topic.replication.factor", "1");
        set("offsets.topic.num.partitions", INTERNAL_TOPIC_PARTITIONS);
        set("transaction.state.log.replication.factor", "1");
        set("transaction.state.log.min.isr", "1");
        set("transaction.state.log.num.partitions", INTERNAL_TOPIC_PARTITIONS);
        set("share.coordinator.state.topic.replication.factor", "1");
        set("share.coordinator.state.topic.min.isr", "1");
        set("share.coordinator.state.topic.num.partitions", INTERNAL_TOPIC_PARTITIONS);
    }

    /** A dead leader is replaced, and its open transaction ended, within about two seconds. */
    private void quick() {
        set("group.initial.rebalance.delay.ms", "0");
        set("group.min.session.timeout.ms", "1000");
        set("group.consumer.min.session.timeout.ms", "1000");
        set("group.consumer.min.heartbeat.interval.ms", "100");
        set("transaction.abort.timed.out.transaction.cleanup.interval.ms", "500");
    }

    /** Threads count per listener; the cleaner's buffer alone would fill a quarter of the heap. */
    private void small() {
        set("num.network.threads", "1");
        set("num.io.threads", "4");
        set("background.threads", "2");
        set("log.cleaner.dedupe.buffer.size", Integer.toString(16 * 1024 * 1024));
    }

    private static String address(KafkaListener door, int port) {
        return door.brokerName() + "://" + Loopback.HOST + ":" + port;
    }

    private String join(Function<KafkaListener, String> form, KafkaListener... own) {
        return Stream.concat(Stream.of(own), settings.listeners().stream())
                .map(form)
                .collect(Collectors.joining(","));
    }

    private void set(String key, String value) {
        properties.setProperty(key, value);
    }
}
