package io.meridian.config.database;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** Timeouts of PostgreSQL. */
@ConfigMapping(prefix = "meridian.config.database")
public interface DatabaseConfig {
    /** For a connection, and for each statement. A little more than the server's own statement timeout. */
    @WithDefault("5S")
    Duration timeout();

    /** Between two attempts to migrate the schema at the start. */
    @WithDefault("500MS")
    Duration migrationPause();
}
