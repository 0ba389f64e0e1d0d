package io.meridian.limiter.fallback;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** How an instance decides while its region's counters are away. */
@ConfigMapping(prefix = "meridian.limiter.fallback")
public interface FallbackConfig {
    /**
     * The share of a limit that one instance admits by itself. It does not know what was used before nor what the other
     * instances admit, so this trades denying too much against admitting too much.
     */
    @WithDefault("200")
    int limitPercent();

    /** How many limits it counts; the least used are forgotten beyond it. */
    @WithDefault("100000")
    int limits();
}
