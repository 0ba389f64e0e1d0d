package io.meridian.limiter.caller;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.util.List;
import java.util.Optional;

/** Whose word about a client's address is believed. By default nobody's: the address is that of the connection's peer. */
@ConfigMapping(prefix = "meridian.limiter.forwarded")
public interface ForwardedConfig {
    /** Addresses and networks (CIDR) of the proxies whose forwarded header is read, IPv4 and IPv6. */
    Optional<List<String>> trustedProxies();

    /** How many proxies stand between a client and this limiter: so many hops are read, from the right. */
    @WithDefault("1")
    int trustedHops();

    /** The one header that the proxies write: {@code x-forwarded-for} or {@code forwarded}. The other one is the client's. */
    @WithDefault("x-forwarded-for")
    String header();
}
