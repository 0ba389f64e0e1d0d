package io.meridian.stack.servers;

import static io.meridian.testkit.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.stack.process.Loopback;
import io.meridian.stack.servers.PostgresServer.PostgresDatabase;
import io.meridian.stack.servers.PostgresServer.PostgresSettings;
import io.meridian.stack.servers.Server.Durability;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(600)
class PostgresServerTest {
    private final Path folder;

    PostgresServerTest(@TempDir Path folder) {
        this.folder = folder;
    }

    @Test
    void data_survives_a_restart_and_a_crash() throws Exception {
        PostgresSettings settings = settings(Durability.KEPT);
        try (PostgresServer first = PostgresServer.start(settings)) {
            execute(first, "create table t (n int)");
            execute(first, "insert into t values (1)");
        }
        try (PostgresServer second = PostgresServer.start(settings)) {
            execute(second, "insert into t values (2)");
            second.process().kill();
        }
        try (PostgresServer third = PostgresServer.start(settings)) {
            assertThat(query(third, "select sum(n) from t")).isEqualTo("3");
        }
    }

    @Test
    void it_speaks_utf8_and_utc_and_leaves_no_process() throws Exception {
        PostgresServer server = PostgresServer.start(settings(Durability.THROWAWAY));
        try (server) {
            assertThat(query(server, "show server_encoding")).isEqualTo("UTF8");
            assertThat(query(server, "show listen_addresses")).isEqualTo("127.0.0.1");
            assertThat(query(server, "select current_setting('log_timezone')")).isEqualTo("UTC");
        }
        assertThat(server.process().isAlive()).isFalse();
        // The guard of the server ends a moment after it.
        eventually("no process is left")
                .until(() -> ProcessHandle.allProcesses().noneMatch(this::usesFolder));
    }

    private PostgresSettings settings(Durability durability) {
        return new PostgresSettings(folder.resolve("pg"), folder.resolve("pg.log"), Loopback.freePort(), durability);
    }

    private boolean usesFolder(ProcessHandle process) {
        return process.info().commandLine().orElse("").contains(folder.toString());
    }

    private static void execute(PostgresServer server, String sql) throws Exception {
        try (Connection connection = new PostgresDatabase(server.jdbcUrl()).connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String query(PostgresServer server, String sql) throws Exception {
        try (Connection connection = new PostgresDatabase(server.jdbcUrl()).connect();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            result.next();
            return result.getString(1);
        }
    }
}
