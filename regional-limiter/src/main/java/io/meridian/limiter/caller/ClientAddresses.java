package io.meridian.limiter.caller;

import io.meridian.limiter.LimiterConfig.ForwardedConfig;
import io.meridian.model.policy.IpAddress;
import io.meridian.model.validation.ValidationException;
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

    /**
     * Hops of {@code X-Forwarded-For} or {@code Forwarded} (RFC 7239), from the right. Every proxy appends, so the last hop is what the
     * nearest proxy wrote, and all that a client made up stands to the left of what proxies wrote. Nothing there is read, so that
     * an open quote in it hides no hop to its right. Several lines of the header are one list, in their order.
     */
    static final class ForwardedHops {
        /** Longer than any address with brackets, zone and port. */
        private static final int NODE_MAX = 100;

        private final List<String> lines;
        private final boolean quoted;
        private int line;
        /** The end of what is unread of the line; -1 if all of it is read. */
        private int end;

        /**
         * @param quoted whether a hop may have quoted strings, as in {@code Forwarded}
         */
        ForwardedHops(List<String> lines, boolean quoted) {
            this.lines = lines;
            this.quoted = quoted;
            this.line = lines.size();
            this.end = -1;
        }

        /** The next hop to the left; null if there is none. An empty one is a hop: skipping it would be to believe its left neighbour. */
        @Nullable String next() {
            if (end < 0) {
                if (line == 0) {
                    return null;
                }
                line--;
                end = lines.get(line).length();
            }
            String text = lines.get(line);
            int comma = quoted ? commaOutsideQuotes(text, end) : text.lastIndexOf(',', end - 1);
            String hop = text.substring(comma + 1, end).strip();
            end = comma;
            return hop;
        }

        /** The last comma before {@code end} that is in no quoted string, read from the right; -1 if there is none. */
        private static int commaOutsideQuotes(String text, int end) {
            boolean within = false;
            for (int i = end - 1; i >= 0; i--) {
                char c = text.charAt(i);
                if (c == '"' && !(within && isEscaped(text, i))) {
                    within = !within;
                } else if (c == ',' && !within) {
                    return i;
                }
            }
            return -1;
        }

        private static boolean isEscaped(String text, int at) {
            int start = at;
            while (start > 0 && text.charAt(start - 1) == '\\') {
                start--;
            }
            return (at - start) % 2 == 1;
        }

        /** The address of the {@code for} parameter of a hop of {@code Forwarded}; null if there is none, or more than one. */
        static @Nullable IpAddress forParameter(String hop) {
            String found = null;
            int start = 0;
            while (start < hop.length()) {
                int end = semicolonOutsideQuotes(hop, start);
                int equals = hop.indexOf('=', start);
                if (equals >= 0
                        && equals < end
                        && hop.substring(start, equals).strip().equalsIgnoreCase("for")) {
                    if (found != null) {
                        return null;
                    }
                    found = unquoted(hop.substring(equals + 1, end).strip());
                }
                start = end + 1;
            }
            return found == null ? null : node(found);
        }

        private static int semicolonOutsideQuotes(String text, int start) {
            boolean within = false;
            for (int i = start; i < text.length(); i++) {
                char c = text.charAt(i);
                if (within && c == '\\') {
                    i++;
                } else if (c == '"') {
                    within = !within;
                } else if (c == ';' && !within) {
                    return i;
                }
            }
            return text.length();
        }

        private static String unquoted(String value) {
            int last = value.length() - 1;
            if (last < 1 || value.charAt(0) != '"' || value.charAt(last) != '"') {
                return value;
            }
            StringBuilder text = new StringBuilder(last);
            for (int i = 1; i < last; i++) {
                if (value.charAt(i) == '\\' && i + 1 < last) {
                    i++;
                }
                text.append(value.charAt(i));
            }
            return text.toString();
        }

        /** The address that a hop names, without port, brackets or zone; null if it is none, as {@code unknown} and {@code _hidden}. */
        static @Nullable IpAddress node(String node) {
            if (node.isEmpty() || node.length() > NODE_MAX) {
                return null;
            }
            char first = node.charAt(0);
            String text = node;
            if (first == '[') {
                int bracket = node.indexOf(']');
                boolean whole = bracket == node.length() - 1 || (bracket > 0 && node.charAt(bracket + 1) == ':');
                if (!whole) {
                    return null;
                }
                text = node.substring(1, bracket);
            } else if (first != ':' && Character.digit(first, 16) < 0) {
                return null;
            } else {
                int colon = node.indexOf(':');
                if (colon >= 0 && colon == node.lastIndexOf(':')) {
                    text = node.substring(0, colon);
                }
            }
            int zone = text.indexOf('%');
            return parsed(zone < 0 ? text : text.substring(0, zone));
        }

        private static @Nullable IpAddress parsed(String text) {
            try {
                return IpAddress.parse(text);
            } catch (ValidationException none) {
                return null;
            }
        }
    }

    /** Networks of trusted proxies, parsed once. A look-up compares at most {@link #NETWORKS_MAX} masks and allocates nothing. */
    static final class TrustedProxies {
        static final String SETTING = "meridian.limiter.forwarded.trusted-proxies";
        static final int NETWORKS_MAX = 1_000;
        private static final int MAPPED_BITS = IpAddress.V6_BITS - IpAddress.V4_BITS;
        private static final String RULE = "must be an address or a network like 10.0.0.0/8 or 2001:db8::/32";

        private final Network[] networks;

        private TrustedProxies(Network[] networks) {
            this.networks = networks;
        }

        static TrustedProxies parse(List<String> texts) {
            if (texts.size() > NETWORKS_MAX) {
                throw Validator.invalid(SETTING, texts.size(), "must have at most " + NETWORKS_MAX + " networks");
            }
            return new TrustedProxies(texts.stream().map(Network::parse).toArray(Network[]::new));
        }

        boolean isEmpty() {
            return networks.length == 0;
        }

        /** Whether a network has all addresses of its kind: everybody is then believed. */
        boolean hasEverybody() {
            for (Network network : networks) {
                if (network.highMask == 0 && network.lowMask == 0) {
                    return true;
                }
            }
            return false;
        }

        boolean contains(IpAddress address) {
            for (Network network : networks) {
                if (network.contains(address)) {
                    return true;
                }
            }
            return false;
        }

        private record Network(boolean isV6, long high, long low, long highMask, long lowMask) {
            static Network parse(String text) {
                int slash = text.indexOf('/');
                IpAddress address = address(slash < 0 ? text : text.substring(0, slash), text);
                boolean mapped = !address.isV6() && text.indexOf(':') >= 0;
                int written = mapped || address.isV6() ? IpAddress.V6_BITS : IpAddress.V4_BITS;
                int bits =
                        slash < 0 ? written : bits(text.substring(slash + 1), text, mapped ? MAPPED_BITS : 0, written);
                Network network = of(address, mapped ? bits - MAPPED_BITS : bits);
                if (!network.contains(address)) {
                    throw Validator.invalid(SETTING, text, "must have no bits set after its first " + bits);
                }
                return network;
            }

            /** Keeps the address as it was written: bits after the mask match nothing, not even the address itself. */
            private static Network of(IpAddress address, int bits) {
                long highMask = address.isV6() ? mask(bits, Long.SIZE) : 0;
                long lowMask = address.isV6() ? mask(bits - Long.SIZE, Long.SIZE) : mask(bits, IpAddress.V4_BITS);
                return new Network(address.isV6(), address.high(), address.low(), highMask, lowMask);
            }

            /** The first {@code bits} of the last {@code of} bits of a number. */
            private static long mask(int bits, int of) {
                if (bits <= 0) {
                    return 0;
                }
                long all = of == Long.SIZE ? -1L : (1L << of) - 1;
                return bits >= of ? all : all & (-1L << (of - bits));
            }

            boolean contains(IpAddress address) {
                return address.isV6() == isV6
                        && (address.high() & highMask) == high
                        && (address.low() & lowMask) == low;
            }

            private static IpAddress address(String literal, String text) {
                try {
                    return IpAddress.parse(literal);
                } catch (ValidationException malformed) {
                    throw Validator.invalid(SETTING, text, RULE);
                }
            }

            private static int bits(String digits, String text, int min, int max) {
                try {
                    int bits = Integer.parseInt(digits);
                    if (bits >= min && bits <= max) {
                        return bits;
                    }
                } catch (NumberFormatException notWhole) {
                    throw Validator.invalid(SETTING, text, RULE);
                }
                throw Validator.invalid(SETTING, text, "must have a prefix of " + min + " to " + max + " bits");
            }
        }
    }
}
