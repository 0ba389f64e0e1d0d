package io.meridian.limiter.decide;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** How an instance holds leases. */
@ConfigMapping(prefix = "meridian.limiter.leases")
public interface LeaseConfig {
    /** What is leased ahead is spent or given back within this, and within a hundredth or tenth of the window. Zero: never. */
    @WithDefault("2s")
    Duration horizonMax();

    /** How long a refusal is believed: another instance may give units back meanwhile. */
    @WithDefault("1s")
    Duration memory();

    /** How many limits an instance remembers; what is forgotten is asked for again. */
    @WithDefault("200000")
    int tableSize();

    /** How long a check of a limit in escrow waits for a grant, as long as leaders may have something to give. Zero: not at all. */
    @WithDefault("500ms")
    Duration grantWait();

    /** How often what can no longer be spent is given back. */
    @WithDefault("100ms")
    Duration releaseEvery();
}
