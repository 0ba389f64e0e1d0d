package io.meridian.config.live;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** Settings of the live view. */
@ConfigMapping(prefix = "meridian.config.live")
public interface LiveConfig {
    /** Interval at which a client receives the state of the regions, and at most so often what happened. */
    @WithDefault("500MS")
    Duration interval();

    /** A region that has not reported for this time is cut off; limiters report every second. */
    @WithDefault("2S")
    Duration silentAfter();

    /** A region that has received nothing of a leader for this time is cut off, as its limiters decide it too. */
    @WithDefault("3S")
    Duration leaderSilentAfter();

    /** The most clients at once; further ones are refused. */
    @WithDefault("100")
    int clientsMax();

    /** A stream ends after this time, so that a token that ended or was revoked does not outlive it by more. */
    @WithDefault("5M")
    Duration streamMax();

    /** The changes and denials that a client can resume from; older ones are missed. */
    @WithDefault("512")
    int logMax();
}
