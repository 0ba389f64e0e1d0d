package io.meridian.config.access;

import io.meridian.config.database.Database;
import io.meridian.config.database.DatabaseUnavailableException;
import io.meridian.config.database.Schema;
import io.meridian.config.database.Schema.Ready;
import io.meridian.config.database.Session;
import io.meridian.config.database.Timestamps;
import io.meridian.model.access.TokenHash;
import io.meridian.model.time.TimeSource;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jboss.logging.Logger;

/**
 * The first admin's token: what its file says, else one that is made and written there. A revoked one does not come back as
 * long as there is another admin.
 */
@Singleton
class AdminBootstrap {
    static final String ID = "bootstrap";

    private static final Logger LOG = Logger.getLogger(AdminBootstrap.class);
    private static final int LENGTH_MIN = 32;

    private final Database database;
    private final Schema schema;
    private final TokenCache book;
    private final AccessConfig config;
    private final TimeSource time;
    private boolean done;

    AdminBootstrap(Database database, Schema schema, TokenCache book, AccessConfig config, TimeSource time) {
        this.database = database;
        this.schema = schema;
        this.book = book;
        this.config = config;
        this.time = time;
    }

    void ready(@Observes Ready ready) {
        onceReady();
    }

    /** As soon as there is a schema, and once. */
    @Scheduled(every = "1s", concurrentExecution = ConcurrentExecution.SKIP)
    synchronized void onceReady() {
        if (done || !schema.isReady()) {
            return;
        }
        try {
            if (config.adminTokenFile().isPresent()) {
                ensure(config.adminTokenFile().get());
            } else {
                LOG.info("no first admin: meridian.config.access.admin-token-file is not set");
            }
            book.refresh();
            done = true;
        } catch (DatabaseUnavailableException away) {
            LOG.debugf("the first admin waits for PostgreSQL: reason=%s", away.getMessage());
        } catch (IOException failed) {
            LOG.errorf("the first admin's token cannot be read or written: reason=%s", failed);
            done = true;
        }
    }

    private void ensure(Path file) throws IOException {
        boolean wanted = database.read(this::isWanted);
        if (!wanted) {
            return;
        }
        String secret = Files.exists(file) ? Files.readString(file).strip() : written(file);
        if (secret.length() < LENGTH_MIN) {
            throw new IOException(file + " must hold a token of at least " + LENGTH_MIN + " characters");
        }
        Instant now = Timestamps.ofMicros(time.wallMicros());
        Token token = new Token(ID, ID, Role.ADMIN, now, ID, Optional.empty());
        database.transaction(session -> {
            TokenTable.lock(session);
            TokenTable.put(session, token, TokenHash.of(secret));
            return token;
        });
    }

    /** Wanted if it is there already, to follow its file, or if there is no other admin. */
    private boolean isWanted(Session session) {
        Instant now = Timestamps.ofMicros(time.wallMicros());
        Map<Token, TokenHash> tokens = TokenTable.all(session, config.tokensMax());
        return tokens.keySet().stream().anyMatch(token -> token.id().equals(ID))
                || tokens.keySet().stream().noneMatch(token -> token.role() == Role.ADMIN && token.isLive(now));
    }

    private static String written(Path file) throws IOException {
        String secret = TokenSecrets.token();
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(file, secret + "\n");
        LOG.infof("the first admin's token was made: file=%s", file);
        return secret;
    }
}
