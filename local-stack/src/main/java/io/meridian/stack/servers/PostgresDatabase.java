package io.meridian.stack.servers;

import io.meridian.stack.process.StartFailure;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import org.postgresql.Driver;

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
        // Not through DriverManager, which would look for the driver in the wrong class loader under a Quarkus test.
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
