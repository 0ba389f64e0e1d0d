package io.meridian.sync;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** What a sync replica is told at its start. */
@ConfigMapping(prefix = "meridian.sync")
public interface SyncConfig {
    /** The name of this replica in logs and in the list of leaders. */
    @WithDefault("sync-1")
    String replica();
}
