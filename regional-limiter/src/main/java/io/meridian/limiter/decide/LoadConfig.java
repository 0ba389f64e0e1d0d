package io.meridian.limiter.decide;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** How long a reported load is believed. */
@ConfigMapping(prefix = "meridian.limiter.load")
public interface LoadConfig {
    /** Adaptive limits are as written when no load was reported for so long. */
    @WithDefault("60s")
    Duration believedFor();

    /** How often an instance looks what was reported to the others. */
    @WithDefault("500ms")
    Duration readEvery();
}
