package io.meridian.testkit.servers;

import io.meridian.stack.process.Folders;
import io.meridian.stack.process.Loopback;
import io.meridian.stack.servers.KafkaServer;
import io.meridian.stack.servers.KafkaServer.BrokerSettings;
import io.meridian.stack.servers.KafkaServer.KafkaListener;
import io.meridian.stack.servers.PostgresServer;
import io.meridian.stack.servers.PostgresServer.PostgresSettings;
import io.meridian.stack.servers.RedisServer;
import io.meridian.stack.servers.RedisServer.RedisSettings;
import io.meridian.stack.servers.Server;
import io.meridian.stack.servers.Server.Durability;
import io.meridian.testkit.servers.TestServers.QuarkusKeys;
import io.meridian.testkit.servers.TestServers.TestServer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Processes on this machine, in temporary folders. */
final class ProcessServers implements TestServers {
    private static final String CLIENTS = "clients";

    @Override
    public TestServer postgres() {
        return start("postgres", folder -> {
            int port = Loopback.freePort();
            return new Started(
                    PostgresServer.start(new PostgresSettings(folder, log(folder), port, Durability.THROWAWAY)),
                    QuarkusKeys.postgres(
                            Loopback.HOST + ":" + port + "/" + PostgresServer.DATABASE,
                            PostgresServer.USER,
                            PostgresServer.PASSWORD));
        });
    }

    @Override
    public TestServer redis() {
        return start("redis", folder -> {
            int port = Loopback.freePort();
            return new Started(
                    RedisServer.start(new RedisSettings("redis", folder, log(folder), port, Durability.THROWAWAY)),
                    QuarkusKeys.redis(Loopback.HOST + ":" + port));
        });
    }

    @Override
    public TestServer kafka() {
        return start("kafka", folder -> {
            int port = Loopback.freePort();
            KafkaListener clients = new KafkaListener(CLIENTS, port, port);
            KafkaServer server = KafkaServer.start(new BrokerSettings(
                    folder, log(folder), Loopback.freePort(), Loopback.freePort(), List.of(clients)));
            return new Started(server, QuarkusKeys.kafka(server.bootstrapServers(CLIENTS)));
        });
    }

    private record Started(Server server, Map<String, String> config) {}

    private static TestServer start(String name, Function<Path, Started> starter) {
        Path folder = Folders.temporary(name);
        try {
            Started started = starter.apply(folder);
            return new TestServer(started.config(), () -> {
                started.server().close();
                Folders.deleteTemporary(folder);
            });
        } catch (RuntimeException e) {
            Folders.deleteTemporary(folder);
            throw e;
        }
    }

    private static Path log(Path folder) {
        return folder.resolve("server.log");
    }
}
