package io.meridian.config.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.config.ServiceTest;
import io.meridian.config.access.Token.Draft;
import io.meridian.config.api.Admin;
import io.meridian.config.audit.Actor;
import io.meridian.config.database.Database;
import io.meridian.config.database.Schema;
import io.meridian.model.access.TokenHash;
import io.meridian.model.time.TimeSource;
import jakarta.inject.Inject;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A token ends by the service's clock, without being read anew. */
@ServiceTest
class TokenEndTest {
    private static final Actor ACTOR = new Actor("test", "test");
    private static final Instant END = Instant.parse("2100-01-01T00:00:00Z");

    @Inject
    Database database;

    @Inject
    Schema schema;

    @Inject
    AccessConfig config;

    private long nowMicros;

    private final TimeSource time = new TimeSource() {
        @Override
        public long wallMicros() {
            return nowMicros;
        }

        @Override
        public long monotonicNanos() {
            return nowMicros * 1_000;
        }
    };

    @Test
    void a_token_ends_when_it_says() throws Exception {
        Admin.awaitReady();
        TokenCache book = new TokenCache(database, schema, config, time);
        TokenAdmin tokens = new TokenAdmin(database, book, config, time);
        nowMicros = END.getEpochSecond() * 1_000_000 - 1;
        TokenAdmin.Created created =
                tokens.create(ACTOR, new Draft("ending", AdminRole.VIEWER, Optional.of(END)), false);
        assertThat(book.caller(TokenHash.of(created.secret()))).isPresent();

        nowMicros++;

        assertThat(book.caller(TokenHash.of(created.secret()))).isEmpty();
        assertThat(tokens.revoke(ACTOR, created.token().id(), false)).isEqualTo(TokenAdmin.Revoked.DONE);
    }
}
