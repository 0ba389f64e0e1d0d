package io.meridian.config.database;

import io.vertx.core.Vertx;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.PoolOptions;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.flywaydb.core.Flyway;

/** A PostgreSQL with our schema, asked as the service asks it, but without a service: whose publisher would interfere. */
public final class TestDatabase implements AutoCloseable {
    private static final int CONNECTIONS = 4;
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final Vertx vertx = Vertx.vertx();
    private final Database database;

    private TestDatabase(Map<String, String> settings) {
        String user = setting(settings, "username");
        String password = setting(settings, "password");
        PgConnectOptions server = PgConnectOptions.fromUri(setting(settings, "reactive.url"))
                .setUser(user)
                .setPassword(password);
        database = new Database(
                Pool.newInstance(PgBuilder.pool()
                        .connectingTo(server)
                        .with(new PoolOptions().setMaxSize(CONNECTIONS))
                        .using(vertx)
                        .build()),
                new Patient());
        Flyway.configure()
                .dataSource(setting(settings, "jdbc.url"), user, password)
                .load()
                .migrate();
    }

    /** By the settings under which a service finds it. */
    public static TestDatabase of(Map<String, String> settings) {
        return new TestDatabase(settings);
    }

    private static String setting(Map<String, String> settings, String name) {
        return String.valueOf(settings.get("quarkus.datasource." + name));
    }

    public Database database() {
        return database;
    }

    @Override
    public void close() {
        vertx.close()
                .toCompletionStage()
                .toCompletableFuture()
                .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                .join();
    }

    /** A busy machine must not pass for a PostgreSQL that is away. */
    private record Patient() implements DatabaseConfig {
        @Override
        public Duration timeout() {
            return PATIENCE;
        }

        @Override
        public Duration migrationPause() {
            return PATIENCE;
        }
    }
}
