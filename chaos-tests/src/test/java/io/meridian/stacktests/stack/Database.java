package io.meridian.stacktests.stack;

import io.meridian.stack.StackState;
import io.meridian.stack.servers.PostgresServer;
import io.meridian.stack.servers.ProbeKind;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;

/** The stack's PostgreSQL, as a client sees it. */
final class Database {
    private Database() {}

    static void execute(StackState state, String sql) throws Exception {
        String url = state.parts().stream()
                .filter(part -> part.kind() == ProbeKind.POSTGRES)
                .map(part -> "jdbc:" + part.address())
                .findFirst()
                .orElseThrow();
        try (Connection connection = DriverManager.getConnection(url, PostgresServer.USER, PostgresServer.PASSWORD);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
