package io.meridian.config.access;

import io.meridian.config.database.Database;
import io.meridian.config.database.Database.Session;
import io.meridian.config.database.DatabaseUnavailableException;
import io.meridian.config.database.Schema;
import io.meridian.config.database.Schema.Ready;
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
 * Creation of the first admin's token: the content of its file, else a new token that is written to the file. A revoked one is
 * not created again while there is another admin.
 */
@Singleton
class AdminBootstrap {
    static final String ID = "bootstrap";

    private static final Logger LOG = Logger.getLogger(AdminBootstrap.class);
    private static final int LENGTH_MIN = 32;

    private final Database database;
    private final Schema schema;
    private final TokenCache cache;
    private final AccessConfig config;
    private final TimeSource time;
    private boolean done;

    AdminBootstrap(Database database, Schema schema, TokenCache cache, AccessConfig config, TimeSource time) {
        this.database = database;
        this.schema = schema;
        this.cache = cache;
        this.config = config;
        this.time = time;
    }

    void ready(@Observes Ready ready) {
        onceReady();
    }

    /** Runs once, as soon as the schema is migrated. */
    @Scheduled(every = "1s", concurrentExecution = ConcurrentExecution.SKIP)
    synchronized void onceReady() {
        if (done || !schema.isReady()) {
            return;
        }
        try {
            if (config.adminTokenFile().isPresent()) {
                ensure(config.adminTokenFile().get());
            } else {
                LOG.info("no first admin is created: meridian.config.access.admin-token-file is not set");
            }
            cache.refresh();
            done = true;
        } catch (DatabaseUnavailableException unavailable) {
            LOG.debugf("the first admin's token waits for PostgreSQL: reason=%s", unavailable.getMessage());
        } catch (IOException failed) {
            LOG.errorf("the first admin's token cannot be read or written: reason=%s", failed);
            done = true;
        }
    }

    private void ensure(Path file) throws IOException {
        boolean needed = database.read(this::isNeeded);
        if (!needed) {
            return;
        }
        String secret = Files.exists(file) ? Files.readString(file).strip() : written(file);
        if (secret.length() < LENGTH_MIN) {
            throw new IOException(file + " must hold a token of at least " + LENGTH_MIN + " characters");
        }
        Instant now = Timestamps.ofMicros(time.wallMicros());
        Token token = new Token(ID, ID, AdminRole.ADMIN, Optional.empty(), now, ID, Optional.empty());
        database.transaction(session -> {
            TokenTable.lock(session);
            TokenTable.put(session, token, TokenHash.of(secret));
            return token;
        });
    }

    /** Needed if it exists already, to follow a change of its file, or if there is no other admin. */
    private boolean isNeeded(Session session) {
        Instant now = Timestamps.ofMicros(time.wallMicros());
        Map<Token, TokenHash> tokens = TokenTable.all(session, config.tokensMax());
        return tokens.keySet().stream().anyMatch(token -> token.id().equals(ID))
                || tokens.keySet().stream().noneMatch(token -> token.role() == AdminRole.ADMIN && token.isLive(now));
    }

    private static String written(Path file) throws IOException {
        String secret = Token.newSecret();
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(file, secret + "\n");
        LOG.infof("the first admin's token was created: file=%s", file);
        return secret;
    }
}
