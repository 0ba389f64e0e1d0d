package io.meridian.limiter.decide;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** Which load adaptive limits follow, and how long it is believed. */
@ConfigMapping(prefix = "meridian.limiter.load")
public interface LoadConfig {
    /** The load that adaptive limits follow. */
    @WithDefault("reported")
    Source source();

    /** Where a load comes from. */
    enum Source {
        /** What callers report. */
        REPORTED,
        /** What the limiters measure of themselves. */
        SELF,
        /** The larger of the two, or the one that is known. */
        LARGER
    }

    /** Adaptive limits are as written when no load was reported for so long. */
    @WithDefault("60s")
    Duration believedFor();

    /** How often an instance measures its load, and looks what was reported to the others and measured by them. */
    @WithDefault("500ms")
    Duration readEvery();
}
