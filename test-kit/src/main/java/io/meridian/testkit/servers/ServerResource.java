package io.meridian.testkit.servers;

import io.meridian.testkit.servers.TestServers.TestServer;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A server that lives as long as a Quarkus test, which finds it in its settings. */
public abstract class ServerResource implements QuarkusTestResourceLifecycleManager {
    private final Function<TestServers, TestServer> kind;
    private @Nullable TestServer server;

    private ServerResource(Function<TestServers, TestServer> kind) {
        this.kind = kind;
    }

    @Override
    public Map<String, String> start() {
        TestServer started = kind.apply(TestServers.chosen());
        server = started;
        return started.config();
    }

    @Override
    public void stop() {
        if (server != null) {
            server.close();
        }
    }

    /** Gives a Quarkus test a PostgreSQL of its own. */
    public static final class PostgresResource extends ServerResource {
        public PostgresResource() {
            super(TestServers::postgres);
        }
    }

    /** Gives a Quarkus test a Redis of its own. */
    public static final class RedisResource extends ServerResource {
        public RedisResource() {
            super(TestServers::redis);
        }
    }

    /** Gives a Quarkus test a Kafka of its own. */
    public static final class KafkaResource extends ServerResource {
        public KafkaResource() {
            super(TestServers::kafka);
        }
    }
}
