package io.meridian.limiter.api;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** What the API of a limiter is told at its start. */
@ConfigMapping(prefix = "meridian.limiter.api")
interface ApiConfig {
    /**
     * The draft of the IETF's RateLimit fields that answers follow: {@code 10}, {@code 07}, or {@code none} for neither
     * field.
     */
    @WithDefault("10")
    String ratelimitDraft();

    /** The largest body of a call about one check; a larger one is answered with 413. */
    @WithDefault("64K")
    MemorySize checkBodyMax();

    /** The largest body of a batch; a larger one is answered with 413. At most {@code quarkus.http.limits.max-body-size}. */
    @WithDefault("256K")
    MemorySize batchBodyMax();
}
