package io.meridian.limiter.decide;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** How long and how many request ids are remembered. */
@ConfigMapping(prefix = "meridian.limiter.request-ids")
public interface RequestIdConfig {
    /** How long a repeated id is answered again and not charged again. */
    @WithDefault("60s")
    Duration memory();

    /** How many this instance remembers by itself, for when the region is away. */
    @WithDefault("100000")
    int entries();
}
