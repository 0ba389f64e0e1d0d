package io.meridian.config.console;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** Settings of the web console. */
@ConfigMapping(prefix = "meridian.config.console")
public interface ConsoleConfig {
    /** A session ends this long after the sign-in, however much it is used. */
    @WithDefault("12H")
    Duration sessionMax();

    /** A session that is not used for this time ends. */
    @WithDefault("1H")
    Duration sessionIdle();

    /** The most sessions; for one more, the session that was unused longest ends. */
    @WithDefault("1000")
    int sessionsMax();

    /** The most sessions of one caller; for one more, the caller's own that was unused longest ends. */
    @WithDefault("50")
    int sessionsPerCallerMax();

    /** How long a sign-in link may be redeemed, once. */
    @WithDefault("10M")
    Duration linkValid();

    /** The most sign-in links that are not yet redeemed; for one more, the oldest is forgotten. */
    @WithDefault("100")
    int linksMax();

    /** The most sign-in links of one caller that are not yet redeemed. */
    @WithDefault("10")
    int linksPerCallerMax();

    /**
     * Whether browsers may send the cookie over TLS only. A connection over TLS to this service sets the attribute in any case;
     * set it where a proxy in front of the service ends TLS.
     */
    @WithDefault("false")
    boolean cookieSecure();
}
