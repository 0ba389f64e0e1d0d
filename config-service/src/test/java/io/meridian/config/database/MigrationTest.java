package io.meridian.config.database;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.config.ServiceTest;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationVersion;
import org.junit.jupiter.api.Test;

/** What a database of an earlier build has is there after the migrations, in a schema of its own. */
@ServiceTest
class MigrationTest {
    private static final String SCHEMA = "of_an_earlier_build";
    private static final String DENIED = "INSERT INTO deny_list (id, document, version, created_at, updated_at)"
            + " VALUES ('user_id:%s', '{}', 1, now(), now())";
    private static final String AUDITED = "INSERT INTO audit (at, actor, request_id, action, kind, entry_id)"
            + " VALUES (now(), '%s', '', '%s', '%s', 'user_id:%s')";

    private final Config config = ConfigProvider.getConfig();

    @Test
    void who_created_an_entry_is_taken_from_the_audit_trail_and_violations_stay() throws SQLException {
        migrate(MigrationVersion.fromVersion("4"));
        try (Connection connection = connection();
                Statement statement = connection.createStatement()) {
            for (String name : List.of("audited", "twice", "imported")) {
                statement.execute(DENIED.formatted(name));
            }
            statement.execute(AUDITED.formatted("ann", "created", "deny", "audited"));
            statement.execute(AUDITED.formatted("bob", "replaced", "deny", "audited"));
            statement.execute(AUDITED.formatted("ann", "created", "deny", "twice"));
            statement.execute(AUDITED.formatted("ann", "deleted", "deny", "twice"));
            statement.execute(AUDITED.formatted("eve", "created", "deny", "twice"));
            statement.execute(AUDITED.formatted("ann", "created", "allow", "imported"));
            statement.execute("CREATE TABLE violation_always PARTITION OF violation DEFAULT");
            statement.execute("INSERT INTO violation (last_at, source_partition, source_offset, first_at, policy,"
                    + " policy_version, key, region, count, cost, shadow, endpoint, method)"
                    + " VALUES (now(), 0, 0, now(), 'p', 1, '', 'eu', 3, 3, false, '/', 'GET')");
        }

        migrate(MigrationVersion.LATEST);

        assertThat(rows("SELECT id, created_by FROM deny_list ORDER BY id"))
                .containsExactly("user_id:audited ann", "user_id:imported null", "user_id:twice eve");
        assertThat(rows("SELECT count, limit_units FROM violation")).containsExactly("3 null");
        assertThat(rows("SELECT count(*), min(limit_window) FROM violation_always"))
                .containsExactly("1 null");
    }

    private List<String> rows(String query) throws SQLException {
        List<String> rows = new ArrayList<>();
        try (Connection connection = connection();
                Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery(query)) {
            while (found.next()) {
                rows.add(found.getString(1) + " " + found.getString(2));
            }
        }
        return rows;
    }

    private void migrate(MigrationVersion target) {
        Flyway.configure()
                .dataSource(setting("jdbc.url"), setting("username"), setting("password"))
                .schemas(SCHEMA)
                .target(target)
                .load()
                .migrate();
    }

    private Connection connection() throws SQLException {
        Connection connection =
                DriverManager.getConnection(setting("jdbc.url"), setting("username"), setting("password"));
        connection.setSchema(SCHEMA);
        return connection;
    }

    private String setting(String name) {
        return config.getOptionalValue("quarkus.datasource." + name, String.class)
                .orElse("");
    }
}
