package io.meridian.config.drills;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Settings of the archive of drills. */
@ConfigMapping(prefix = "meridian.config.drills")
public interface DrillArchiveConfig {
    /** The most drills that are kept; one more replaces the one that was published first. */
    @WithDefault("200")
    int kept();
}
