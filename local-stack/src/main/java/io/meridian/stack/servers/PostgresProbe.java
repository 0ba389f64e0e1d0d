package io.meridian.stack.servers;

import io.meridian.stack.process.Probe;
import io.meridian.stack.process.ProbeFailure;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** Ready is who answers a query. */
record PostgresProbe(String url) implements Probe {
    private static final int SECONDS_MAX = 3;

    @Override
    public void check() throws ProbeFailure {
        try (Connection connection = new PostgresDatabase(url, SECONDS_MAX).connect();
                Statement statement = connection.createStatement()) {
            statement.execute("select 1");
        } catch (SQLException e) {
            throw new ProbeFailure(e);
        }
    }
}
