package io.meridian.testkit.servers;

import io.meridian.stack.process.Folders;
import io.meridian.stack.process.Loopback;
import io.meridian.stack.servers.KafkaServer;
import io.meridian.stack.servers.KafkaServer.BrokerSettings;
import io.meridian.stack.servers.KafkaServer.KafkaListener;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;

/** A Kafka whose clients come through a {@link FaultyLink}, and which can be killed and started again with its data. */
public final class KafkaUnderTest implements AutoCloseable {
    private static final String CLIENTS = "clients";
    private static final int TIMEOUT_MILLIS = 30_000;

    private final Path folder;
    private final BrokerSettings settings;
    private final FaultyLink link;
    private KafkaServer server;

    private KafkaUnderTest(Path folder, BrokerSettings settings, FaultyLink link, KafkaServer server) {
        this.folder = folder;
        this.settings = settings;
        this.link = link;
        this.server = server;
    }

    public static KafkaUnderTest start() {
        Path folder = Folders.temporary("kafka-under-test");
        int port = Loopback.freePort();
        FaultyLink link = FaultyLink.to("kafka-under-test", Loopback.freePort(), port);
        BrokerSettings settings = new BrokerSettings(
                folder.resolve("data"),
                folder.resolve("kafka.log"),
                Loopback.freePort(),
                Loopback.freePort(),
                List.of(new KafkaListener(CLIENTS, port, link.port())));
        try {
            return new KafkaUnderTest(folder, settings, link, KafkaServer.start(settings));
        } catch (RuntimeException failed) {
            link.close();
            throw failed;
        }
    }

    /** Address for clients: goes through the link, and stays the same over restarts. */
    public String bootstrapServers() {
        return server.bootstrapServers(CLIENTS);
    }

    /** For the test's own questions: past the link. */
    public String directAddress() {
        return server.internalAddress();
    }

    public FaultyLink link() {
        return link;
    }

    public void createTopic(String name, int partitions) {
        try (Admin admin =
                Admin.create(Map.of("bootstrap.servers", directAddress(), "default.api.timeout.ms", TIMEOUT_MILLIS))) {
            admin.createTopics(List.of(new NewTopic(name, partitions, (short) 1)))
                    .all()
                    .get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while creating topic " + name, e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("topic " + name + " cannot be created: " + e.getMessage(), e);
        }
    }

    public void kill() {
        server.process().kill();
    }

    /** Starts it again at the same address with its data, after killing it if it still runs. */
    public void restart() {
        kill();
        server = KafkaServer.start(settings);
    }

    @Override
    public void close() {
        link.close();
        server.close();
        Folders.deleteTemporary(folder);
    }
}
