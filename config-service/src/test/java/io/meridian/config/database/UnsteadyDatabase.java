package io.meridian.config.database;

import io.meridian.config.database.Database.Session;
import io.vertx.mutiny.sqlclient.Pool;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** A database that is away when a test says so, and counts who asks it. */
public final class UnsteadyDatabase extends Database {
    private final AtomicInteger asked = new AtomicInteger();
    private volatile Runnable before = () -> {};

    public UnsteadyDatabase(Pool pool, DatabaseConfig config) {
        super(pool, config);
    }

    /** Is away from now on, for each caller after what it does meanwhile. */
    public void leave(Runnable meanwhile) {
        before = () -> {
            meanwhile.run();
            throw new DatabaseUnavailableException("away for a test");
        };
    }

    public void comeBack() {
        before = () -> {};
    }

    public int asked() {
        return asked.get();
    }

    @Override
    public <T> T read(Function<Session, T> work) {
        asked.incrementAndGet();
        before.run();
        return super.read(work);
    }

    @Override
    public <T> T transaction(Function<Session, T> work) {
        asked.incrementAndGet();
        before.run();
        return super.transaction(work);
    }
}
