package io.meridian.config.database;

import io.meridian.config.database.Database.Session;
import io.vertx.mutiny.sqlclient.Pool;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** A database that is unavailable to its first callers. */
public final class UnavailableDatabase extends Database {
    private final AtomicInteger left;

    public UnavailableDatabase(Pool pool, DatabaseConfig config, int callers) {
        super(pool, config);
        this.left = new AtomicInteger(callers);
    }

    @Override
    public <T> T transaction(Function<Session, T> work) {
        if (left.getAndDecrement() > 0) {
            throw new DatabaseUnavailableException("away for a test");
        }
        return super.transaction(work);
    }
}
