package io.meridian.limiter;

import io.smallrye.config.ConfigMapping;

/** What a limiter is told at its start. */
@ConfigMapping(prefix = "meridian.limiter")
public interface LimiterConfig {
    /** The region this instance serves; the same for all instances that share a Redis. */
    String region();
}
