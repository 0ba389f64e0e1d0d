package io.meridian.model.rulebook;

import io.meridian.model.policy.IpAddress;
import io.meridian.model.rule.Rules;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** All addresses that share their leading bits; an address alone shares all of them. What lies beyond is cleared. */
public record IpPrefix(IpAddress address, int bits) {
    private static final Pattern BITS = Pattern.compile("([^/]*)/([1-9][0-9]{0,2})");
    private static final int BITS_BEFORE_MAPPED_V4 = IpAddress.V6_BITS - IpAddress.V4_BITS;

    public IpPrefix {
        int bitsMax = whole(address);
        new Rules()
                .require(
                        bits >= 1 && bits <= bitsMax,
                        "identifier",
                        address + "/" + bits,
                        "must have a prefix from 1 to " + bitsMax)
                .throwIfBroken();
        address = address.prefix(bits, bits);
    }

    /** Reads {@code 203.0.113.9}, {@code 203.0.113.0/24}, {@code 2001:db8::/32}. */
    public static IpPrefix parse(String text) {
        Matcher matcher = BITS.matcher(text);
        boolean prefixed = matcher.matches();
        String literal = prefixed ? matcher.group(1) : text;
        Rules rules = new Rules();
        IpAddress address = rules.attempt("identifier", () -> IpAddress.parse(literal), IpAddress.UNSPECIFIED);
        rules.throwIfBroken();
        if (!prefixed) {
            return new IpPrefix(address, whole(address));
        }
        boolean mapped = !address.isV6() && literal.indexOf(':') >= 0;
        return new IpPrefix(address, Integer.parseInt(matcher.group(2)) - (mapped ? BITS_BEFORE_MAPPED_V4 : 0));
    }

    private static int whole(IpAddress address) {
        return address.isV6() ? IpAddress.V6_BITS : IpAddress.V4_BITS;
    }

    @Override
    public String toString() {
        return bits == whole(address) ? address.toString() : address + "/" + bits;
    }
}
