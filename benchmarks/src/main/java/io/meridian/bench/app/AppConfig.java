package io.meridian.bench.app;

import io.smallrye.config.ConfigMapping;

/** Settings of the measured application, in addition to the limiter's own. */
@ConfigMapping(prefix = "meridian.bench")
interface AppConfig {
    /** The Redis of the limiter, for the peer too, as {@code redis://host:port}. */
    String redis();
}
