package io.meridian.config.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.config.ServiceTest;
import io.meridian.config.api.Admin;
import io.meridian.config.rulebook.Actor;
import io.meridian.config.store.Database;
import io.meridian.config.store.Schema;
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
        TokenBook book = new TokenBook(database, schema, config, time);
        Tokens tokens = new Tokens(database, book, config, time);
        nowMicros = END.getEpochSecond() * 1_000_000 - 1;
        Tokens.Made made = tokens.make(ACTOR, new TokenDraft("ending", Role.VIEWER, Optional.of(END)), false);
        assertThat(book.caller(made.secret())).isPresent();

        nowMicros++;

        assertThat(book.caller(made.secret())).isEmpty();
        assertThat(tokens.revoke(ACTOR, made.token().id(), false)).isEqualTo(Tokens.Revoked.DONE);
    }
}
