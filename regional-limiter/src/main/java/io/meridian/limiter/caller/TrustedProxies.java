package io.meridian.limiter.caller;

import io.meridian.model.policy.IpAddress;
import io.meridian.model.validation.ValidationException;
import io.meridian.model.validation.Validator;
import java.util.List;

/** Networks of trusted proxies, parsed once. A look-up compares at most {@link #NETWORKS_MAX} masks and allocates nothing. */
final class TrustedProxies {
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
            int bits = slash < 0 ? written : bits(text.substring(slash + 1), text, mapped ? MAPPED_BITS : 0, written);
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
            return address.isV6() == isV6 && (address.high() & highMask) == high && (address.low() & lowMask) == low;
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
