package io.meridian.config.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.config.ServiceTest;
import io.meridian.config.access.Token.Draft;
import io.meridian.config.api.Admin;
import io.meridian.config.audit.Actor;
import io.meridian.config.database.Database;
import io.meridian.config.database.DatabaseConfig;
import io.meridian.config.database.Schema;
import io.meridian.config.database.UnsteadyDatabase;
import io.meridian.model.time.TimeSource;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.inject.Inject;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A committed change of tokens is answered although PostgreSQL becomes unavailable right after. */
@ServiceTest
class TokensWhileDatabaseUnavailableTest {
    private static final Actor ACTOR = new Actor("test", "test");

    @Inject
    Pool pool;

    @Inject
    Database database;

    @Inject
    DatabaseConfig databaseConfig;

    @Inject
    Schema schema;

    @Inject
    AccessConfig config;

    @Test
    void a_token_that_was_made_is_told_and_one_that_was_revoked_is_said_to_be() throws Exception {
        Admin.awaitReady();
        UnsteadyDatabase away = new UnsteadyDatabase(pool, databaseConfig);
        away.leave(() -> {});
        TimeSource time = TimeSource.system();
        TokenAdmin tokens = new TokenAdmin(database, new TokenCache(away, schema, config, time), config, time);

        TokenAdmin.Created created =
                tokens.create(ACTOR, new Draft("brief", AdminRole.VIEWER, Optional.empty()), false);

        assertThat(created.secret()).startsWith("mrd_");
        assertThat(tokens.all()).contains(created.token());
        assertThat(tokens.revoke(ACTOR, created.token().id(), false)).isEqualTo(TokenAdmin.Revoked.DONE);
        assertThat(tokens.all()).doesNotContain(created.token());
    }
}
