package io.meridian.config.access;

import io.meridian.config.database.Database;
import io.meridian.config.database.DatabaseUnavailableException;
import io.meridian.config.database.Schema;
import io.meridian.config.database.Timestamps;
import io.meridian.model.access.TokenHash;
import io.meridian.model.time.TimeSource;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import jakarta.inject.Singleton;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jboss.logging.Logger;

/** All tokens in memory, read anew every second: a call costs no query, and callers are known while PostgreSQL is away. */
@Singleton
public class TokenCache {
    private static final Logger LOG = Logger.getLogger(TokenCache.class);

    private final Database database;
    private final Schema schema;
    private final AccessConfig config;
    private final TimeSource time;
    private volatile Map<String, Known> known = Map.of();
    private volatile boolean loaded;

    private record Known(Token token, TokenHash hash) {}

    TokenCache(Database database, Schema schema, AccessConfig config, TimeSource time) {
        this.database = database;
        this.schema = schema;
        this.config = config;
        this.time = time;
    }

    /** Whose token it is, if it is one and has not ended. */
    public Optional<Caller> caller(String presented) {
        TokenHash hash = TokenHash.of(presented);
        return Optional.ofNullable(known.get(hash.index()))
                .filter(each -> each.hash().isSame(hash))
                .map(Known::token)
                .filter(token -> token.isLive(Timestamps.ofMicros(time.wallMicros())))
                .map(Token::caller);
    }

    /** Whether tokens were read at all; before that nobody can be known. */
    public boolean isLoaded() {
        return loaded;
    }

    @Scheduled(every = "${meridian.config.access.refresh:1S}", concurrentExecution = ConcurrentExecution.SKIP)
    void refreshNowAndThen() {
        if (!schema.isReady()) {
            return;
        }
        try {
            refresh();
        } catch (DatabaseUnavailableException away) {
            LOG.debugf("tokens stay as they were read last: reason=%s", away.getMessage());
        }
    }

    /** Reads them anew; a change of ours is then in effect here. */
    synchronized void refresh() {
        Map<String, Known> read = new HashMap<>();
        database.read(session -> TokenTable.all(session, config.tokensMax()))
                .forEach((token, hash) -> read.put(hash.index(), new Known(token, hash)));
        known = Map.copyOf(read);
        loaded = true;
    }
}
