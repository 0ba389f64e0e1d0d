package io.meridian.limiter.caller;

import io.meridian.model.policy.IpAddress;
import io.meridian.model.validation.Validator;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SocketAddress;
import jakarta.inject.Singleton;
import java.util.List;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Resolver of clients' addresses. It begins with the connection's peer. As long as the address at hand is a trusted proxy, and at
 * most {@code trusted-hops} times, the next hop from the right takes its place. A hop that names no address ends it: the proxy that
 * wrote it stands for its client, because an address further to the left may be anybody's word.
 */
@Singleton
class ClientAddresses {
    static final int HOPS_MAX = 16;
    private static final String HOPS = "meridian.limiter.forwarded.trusted-hops";
    private static final String HEADER = "meridian.limiter.forwarded.header";
    private static final Logger LOG = Logger.getLogger(ClientAddresses.class);

    private final TrustedProxies trusted;
    private final int hops;
    private final boolean standard;
    private final CharSequence header;

    ClientAddresses(ForwardedConfig config) {
        this.trusted = TrustedProxies.parse(config.trustedProxies().orElse(List.of()));
        this.hops = config.trustedHops();
        if (hops < 1 || hops > HOPS_MAX) {
            throw Validator.invalid(HOPS, hops, "must be from 1 to " + HOPS_MAX);
        }
        this.standard = switch (config.header()) {
            case "x-forwarded-for" -> false;
            case "forwarded" -> true;
            default -> throw Validator.invalid(HEADER, config.header(), "must be x-forwarded-for or forwarded");
        };
        this.header = HttpHeaders.createOptimized(standard ? "Forwarded" : "X-Forwarded-For");
        if (trusted.hasEverybody()) {
            LOG.warnf(
                    "every peer is a trusted proxy, so every caller may name any address: setting=%s",
                    TrustedProxies.SETTING);
        }
    }

    /** The address of the client, and whether a proxy named it; null where there is no peer with an address. */
    @Nullable ClientAddress of(HttpServerRequest request) {
        SocketAddress remote = request.remoteAddress();
        String host = remote == null ? null : remote.hostAddress();
        IpAddress peer = host == null ? null : ForwardedHops.node(host);
        if (peer == null) {
            return null;
        }
        if (trusted.isEmpty() || !trusted.contains(peer)) {
            return new ClientAddress(peer, false);
        }
        return of(peer, request.headers().getAll(header));
    }

    ClientAddress of(IpAddress peer, List<String> lines) {
        ForwardedHops chain = new ForwardedHops(lines, standard);
        IpAddress client = peer;
        for (int hop = 0; hop < hops && trusted.contains(client); hop++) {
            String text = chain.next();
            IpAddress named =
                    text == null ? null : standard ? ForwardedHops.forParameter(text) : ForwardedHops.node(text);
            if (named == null) {
                return new ClientAddress(client, hop > 0);
            }
            client = named;
        }
        return new ClientAddress(client, true);
    }

    record ClientAddress(IpAddress address, boolean forwarded) {}
}
