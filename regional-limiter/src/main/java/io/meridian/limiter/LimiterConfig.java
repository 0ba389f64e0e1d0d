package io.meridian.limiter;

import io.smallrye.config.ConfigMapping;
import java.util.Optional;

/** What a limiter is told at its start. */
@ConfigMapping(prefix = "meridian.limiter")
public interface LimiterConfig {
    /** The region this instance serves; the same for all instances that share a Redis. */
    String region();

    /** The name of this process among all limiters, never used by another; made of its host, process and start if unset. */
    Optional<String> instance();
}
