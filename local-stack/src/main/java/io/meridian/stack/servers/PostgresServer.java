package io.meridian.stack.servers;

import io.meridian.model.time.TimeSource;
import io.meridian.stack.process.ChildCommand;
import io.meridian.stack.process.ChildProcess;
import io.meridian.stack.process.Loopback;
import io.meridian.stack.process.Probe;
import io.meridian.stack.process.Readiness;
import io.meridian.stack.process.StartFailure;
import io.meridian.stack.servers.Server.Durability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.function.Consumer;
import org.postgresql.Driver;

/** PostgreSQL process with one database. */
public final class PostgresServer implements Server {
    public static final String USER = "meridian";
    public static final String PASSWORD = "meridian";
    public static final String DATABASE = "meridian";

    private static final Duration READY_WITHIN = Duration.ofMinutes(1);

    private final ChildProcess process;
    private final int port;

    private PostgresServer(ChildProcess process, int port) {
        this.process = process;
        this.port = port;
    }

    public static PostgresServer start(PostgresSettings settings) {
        return start(settings, forked -> {});
    }

    /** Tells of the server as soon as it has a process, and returns when it answers. */
    public static PostgresServer start(PostgresSettings settings, Consumer<PostgresServer> forked) {
        try {
            Files.createDirectories(settings.directory());
            List<String> prefix = PostgresInstallation.withoutRoot(settings.directory());
            Path binaries = PostgresInstallation.home();
            Path data = PostgresInstallation.dataFolder(settings, binaries, prefix);
            List<String> command = new ArrayList<>(prefix);
            command.addAll(command(settings, binaries, data));
            // INT asks for a fast stop: sessions are ended, the data is left clean.
            ChildProcess process = ChildProcess.start(
                    ChildCommand.of("postgres", command, settings.log()).withStopSignal("INT"));
            PostgresServer server = new PostgresServer(process, settings.port());
            forked.accept(server);
            new Readiness(TimeSource.system(), READY_WITHIN).await(process, server.probe());
            server.createDatabase();
            return server;
        } catch (IOException e) {
            throw new StartFailure("postgres cannot be started: " + e, e);
        }
    }

    private static List<String> command(PostgresSettings settings, Path binaries, Path data) {
        String durable = settings.durability() == Durability.KEPT ? "on" : "off";
        List<String> command =
                new ArrayList<>(List.of(binaries.resolve("bin/postgres").toString(), "-D", data.toString()));
        for (String option : List.of(
                "port=" + settings.port(),
                "listen_addresses=" + Loopback.HOST,
                "unix_socket_directories=",
                "max_connections=100",
                "shared_buffers=64MB",
                "fsync=" + durable,
                "synchronous_commit=" + durable,
                "full_page_writes=" + durable,
                "timezone=UTC",
                "log_timezone=UTC",
                "logging_collector=off",
                "jit=off")) {
            command.add("-c");
            command.add(option);
        }
        return command;
    }

    private void createDatabase() {
        try {
            new PostgresDatabase(url("postgres")).createIfAbsent(DATABASE);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    public int port() {
        return port;
    }

    public String jdbcUrl() {
        return url(DATABASE);
    }

    /** As the Quarkus reactive client spells it. */
    public String reactiveUrl() {
        return "postgresql://" + Loopback.HOST + ":" + port + "/" + DATABASE;
    }

    @Override
    public Probe probe() {
        return ProbeKind.POSTGRES.at(url("postgres"));
    }

    @Override
    public ChildProcess process() {
        return process;
    }

    private String url(String database) {
        return "jdbc:postgresql://" + Loopback.HOST + ":" + port + "/" + database;
    }

    /** Folder, log and port (of 127.0.0.1) of a PostgreSQL. */
    public record PostgresSettings(Path directory, Path log, int port, Durability durability) {}

    /** A connection to PostgreSQL for what the stack itself asks of it; every wait in it is bounded. */
    record PostgresDatabase(String url, int secondsMax) {
        /** A new database is a copy of some megabytes, which a busy machine writes slowly. */
        private static final int WORK_SECONDS_MAX = 60;

        PostgresDatabase(String url) {
            this(url, WORK_SECONDS_MAX);
        }

        Connection connect() throws SQLException {
            Properties properties = new Properties();
            properties.setProperty("user", PostgresServer.USER);
            properties.setProperty("password", PostgresServer.PASSWORD);
            properties.setProperty("connectTimeout", Integer.toString(secondsMax));
            properties.setProperty("socketTimeout", Integer.toString(secondsMax));
            // Not through DriverManager, which would look for the driver in the wrong class loader under a Quarkus
            // test.
            Connection connection = new Driver().connect(url, properties);
            if (connection == null) {
                throw new SQLException("not a PostgreSQL address: " + url);
            }
            return connection;
        }

        void createIfAbsent(String database) {
            try (Connection connection = connect();
                    Statement statement = connection.createStatement()) {
                try (ResultSet found =
                        statement.executeQuery("select 1 from pg_database where datname = '" + database + "'")) {
                    if (found.next()) {
                        return;
                    }
                }
                statement.executeUpdate("create database " + database);
            } catch (SQLException e) {
                throw new StartFailure("postgres: database " + database + " cannot be created: " + e.getMessage(), e);
            }
        }
    }
}
