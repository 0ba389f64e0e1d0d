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

/**
 * Cache of all tokens, refreshed every second: a call costs no query, and callers are known while PostgreSQL is unavailable.
 */
@Singleton
public class TokenCache {
    private static final Logger LOG = Logger.getLogger(TokenCache.class);

    private final Database database;
    private final Schema schema;
    private final AccessConfig config;
    private final TimeSource time;
    private volatile Map<String, Entry> entries = Map.of();
    private volatile boolean loaded;

    private record Entry(Token token, TokenHash hash) {}

    TokenCache(Database database, Schema schema, AccessConfig config, TimeSource time) {
        this.database = database;
        this.schema = schema;
        this.config = config;
        this.time = time;
    }

    /** The caller whose token has this hash; empty if it is none or has expired. */
    Optional<AdminCaller> caller(TokenHash hash) {
        return Optional.ofNullable(entries.get(hash.index()))
                .filter(each -> each.hash().isSame(hash))
                .map(Entry::token)
                .filter(token -> token.isLive(Timestamps.ofMicros(time.wallMicros())))
                .map(Token::caller);
    }

    /** Whether tokens were read since the start; before that no caller can be identified. */
    public boolean isLoaded() {
        return loaded;
    }

    @Scheduled(every = "${meridian.config.access.refresh:1S}", concurrentExecution = ConcurrentExecution.SKIP)
    void refreshPeriodically() {
        if (!schema.isReady()) {
            return;
        }
        try {
            refresh();
        } catch (DatabaseUnavailableException unavailable) {
            LOG.debugf("tokens are not refreshed: reason=%s", unavailable.getMessage());
        }
    }

    /** Reads all tokens; a change of this replica is in effect here afterwards. */
    synchronized void refresh() {
        Map<String, Entry> read = new HashMap<>();
        database.read(session -> TokenTable.all(session, config.tokensMax()))
                .forEach((token, hash) -> read.put(hash.index(), new Entry(token, hash)));
        entries = Map.copyOf(read);
        loaded = true;
    }
}
