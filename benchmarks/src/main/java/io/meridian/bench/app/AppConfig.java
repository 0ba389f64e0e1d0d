package io.meridian.bench.app;

import io.smallrye.config.ConfigMapping;

/** What the measured application is told beside the limiter's own settings. */
@ConfigMapping(prefix = "meridian.bench")
interface AppConfig {
    /** The Redis of the limiter, for the peer too, as {@code redis://host:port}. */
    String redis();
}
