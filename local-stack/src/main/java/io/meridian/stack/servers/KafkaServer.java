package io.meridian.stack.servers;

import io.meridian.model.time.TimeSource;
import io.meridian.stack.process.ChildCommand;
import io.meridian.stack.process.ChildProcess;
import io.meridian.stack.process.Executables;
import io.meridian.stack.process.Loopback;
import io.meridian.stack.process.Probe;
import io.meridian.stack.process.Readiness;
import io.meridian.stack.process.StartFailure;
import io.meridian.stack.servers.KafkaServer.BrokerSettings;
import io.meridian.stack.servers.KafkaServer.KafkaListener;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import kafka.Kafka;
import kafka.tools.StorageTool;

/** Kafka process in KRaft mode: one node that is broker and controller. */
public final class KafkaServer implements Server {
    private static final Duration READY_WITHIN = Duration.ofMinutes(3);

    private final ChildProcess process;
    private final BrokerSettings settings;

    private KafkaServer(ChildProcess process, BrokerSettings settings) {
        this.process = process;
        this.settings = settings;
    }

    public static KafkaServer start(BrokerSettings settings) {
        return start(settings, forked -> {});
    }

    /** Tells of the server as soon as it has a process, and returns when it answers. */
    public static KafkaServer start(BrokerSettings settings, Consumer<KafkaServer> forked) {
        try {
            Files.createDirectories(settings.directory());
            ChildProcess process = ChildProcess.start(
                    ChildCommand.of("kafka", command(KafkaProperties.write(settings)), settings.log()));
            KafkaServer server = new KafkaServer(process, settings);
            forked.accept(server);
            new Readiness(TimeSource.system(), READY_WITHIN).await(process, server.probe());
            return server;
        } catch (IOException e) {
            throw new StartFailure("kafka cannot be started: " + e, e);
        }
    }

    private static List<String> command(Path properties) {
        return List.of(
                Executables.java().toString(),
                "-Xms128m",
                "-Xmx512m",
                "-XX:+UseSerialGC",
                // The load of a laptop or a test does not pay for the second compiler.
                "-XX:TieredStopAtLevel=1",
                "-Xshare:auto",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=info",
                "-Dorg.slf4j.simpleLogger.logFile=System.out",
                "-Dorg.slf4j.simpleLogger.showDateTime=true",
                "-Dorg.slf4j.simpleLogger.dateTimeFormat=yyyy-MM-dd'T'HH:mm:ss.SSSX",
                "-cp",
                System.getProperty("java.class.path"),
                KafkaMain.class.getName(),
                properties.toString());
    }

    /** Advertised address, to which clients of this listener connect. */
    public String bootstrapServers(String listener) {
        return settings.listeners().stream()
                .filter(each -> each.name().equals(listener))
                .map(each -> Loopback.HOST + ":" + each.advertisedPort())
                .findFirst()
                .orElseThrow(
                        () -> new IllegalArgumentException("listener must be one of the settings', got " + listener));
    }

    /** Address that is not behind a proxy. */
    public String internalAddress() {
        return Loopback.HOST + ":" + settings.internalPort();
    }

    @Override
    public Probe probe() {
        return ProbeKind.KAFKA.at(internalAddress());
    }

    @Override
    public ChildProcess process() {
        return process;
    }

    /**
     * Listener of the broker for one kind of client.
     *
     * @param name of the region behind it, or of the centre
     * @param port where the broker listens
     * @param advertisedPort what the broker tells clients that came in here: the port of a proxy, or its own
     */
    public record KafkaListener(String name, int port, int advertisedPort) {
        public KafkaListener {
            if (!name.matches("[a-z][a-z0-9-]*")) {
                throw new IllegalArgumentException("name must be lower case words joined by -, got " + name);
            }
        }

        /** As the broker's settings spell the name. */
        String brokerName() {
            return name.toUpperCase(Locale.ROOT).replace('-', '_');
        }
    }

    /**
     * Folder, log and ports (of 127.0.0.1) of a Kafka.
     *
     * @param internalPort for the broker itself and for asking whether it is ready; never behind a proxy
     * @param listeners for clients
     */
    public record BrokerSettings(
            Path directory, Path log, int controllerPort, int internalPort, List<KafkaListener> listeners) {
        public BrokerSettings {
            if (listeners.isEmpty()) {
                throw new IllegalArgumentException("listeners must not be empty");
            }
            listeners = List.copyOf(listeners);
        }
    }

    /** The broker's settings: one node that is broker and controller, small and quick to start. */
    private static final class KafkaProperties {
        private static final String CONTROLLER = "CONTROLLER";
        private static final String INTERNAL = "INTERNAL";
        private static final String NODE = "1";
        private static final String INTERNAL_TOPIC_PARTITIONS = "8";

        private final BrokerSettings settings;
        private final Properties properties = new Properties();

        private KafkaProperties(BrokerSettings settings) {
            this.settings = settings;
        }

        static Properties of(BrokerSettings settings) {
            KafkaProperties broker = new KafkaProperties(settings);
            broker.node();
            broker.listeners();
            broker.oneCopyOfEverything();
            broker.quick();
            broker.small();
            return broker.properties;
        }

        static Path write(BrokerSettings settings) throws IOException {
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

        private void listeners() {
            KafkaListener controller =
                    new KafkaListener("controller", settings.controllerPort(), settings.controllerPort());
            KafkaListener internal = new KafkaListener("internal", settings.internalPort(), settings.internalPort());
            set("controller.listener.names", CONTROLLER);
            set("inter.broker.listener.name", INTERNAL);
            set("listeners", join(listener -> address(listener, listener.port()), controller, internal));
            set("advertised.listeners", join(listener -> address(listener, listener.advertisedPort()), internal));
            set(
                    "listener.security.protocol.map",
                    join(listener -> listener.brokerName() + ":PLAINTEXT", controller, internal));
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

        private static String address(KafkaListener listener, int port) {
            return listener.brokerName() + "://" + Loopback.HOST + ":" + port;
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

    /** Main class of the broker's process: formats the storage on a first start, then is Kafka. One process instead of two. */
    static final class KafkaMain {
        /** Sixteen bytes in base64, as Kafka wants them: "meridian-local-1". */
        private static final String CLUSTER_ID = "bWVyaWRpYW4tbG9jYWwtMQ";

        private KafkaMain() {}

        public static void main(String[] args) {
            String settings = args[0];
            String[] format = {"format", "--ignore-formatted", "--cluster-id", CLUSTER_ID, "--config", settings};
            int code = StorageTool.execute(format, System.out);
            if (code != 0) {
                System.exit(code);
            }
            Kafka.main(new String[] {settings});
        }
    }
}
