package io.meridian.config.outbox;

import io.meridian.config.database.TestDatabase;
import io.meridian.testkit.servers.ServerResource.KafkaResource;
import io.meridian.testkit.servers.ServerResource.PostgresResource;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Gives each test a stand of its own on one PostgreSQL and one Kafka, which the tests of this package share. */
final class OutboxServers implements ParameterResolver {
    private static final String KAFKA = "kafka.bootstrap.servers";
    /** Held, so that its level is: each of hundreds of clients would tell all of its settings. */
    private static final Logger CLIENTS = Logger.getLogger("org.apache.kafka");

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
        return parameter.getParameter().getType() == OutboxStand.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext test) {
        CLIENTS.setLevel(Level.SEVERE);
        Running running = test.getRoot()
                .getStore(ExtensionContext.Namespace.GLOBAL)
                .computeIfAbsent(Running.class, type -> new Running(), Running.class);
        return OutboxStand.fresh(running.database.database(), running.bootstrapServers);
    }

    /** The servers; JUnit closes them after the last test. */
    private static final class Running implements AutoCloseable {
        private final PostgresResource postgres = new PostgresResource();
        private final KafkaResource kafka = new KafkaResource();
        private final TestDatabase database;
        private final String bootstrapServers;

        Running() {
            CompletableFuture<Map<String, String>> starting = CompletableFuture.supplyAsync(kafka::start);
            database = TestDatabase.of(postgres.start());
            bootstrapServers = String.valueOf(starting.join().get(KAFKA));
        }

        @Override
        public void close() {
            database.close();
            kafka.stop();
            postgres.stop();
        }
    }
}
