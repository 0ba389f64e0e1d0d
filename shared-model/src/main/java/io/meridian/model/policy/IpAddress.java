package io.meridian.model.policy;

import io.meridian.model.validation.ValidationException;
import io.meridian.model.validation.Validator;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * An IPv4 or IPv6 address as 128 bits. Reads literals only and never asks a name server; one address has one text, so
 * that its spellings share a counter. An IPv4 address mapped into IPv6 is that IPv4 address.
 */
public record IpAddress(long high, long low, boolean isV6) {
    public static final IpAddress UNSPECIFIED = new IpAddress(0, 0, false);
    public static final int V4_BITS = 32;
    public static final int V6_BITS = 128;
    private static final long V4_MAPPED = 0xffffL;
    private static final int GROUPS = 8;

    public static IpAddress parse(String text) {
        int[] groups = text.indexOf(':') >= 0 ? v6Groups(text) : v4Groups(text);
        long high = join(groups, 0);
        long low = join(groups, 4);
        boolean mapped = high == 0 && low >>> V4_BITS == V4_MAPPED;
        return mapped ? v4(low & 0xffffffffL) : new IpAddress(high, low, true);
    }

    private static IpAddress v4(long bits) {
        return new IpAddress(0, bits, false);
    }

    /** The address with all but its leading bits cleared. */
    public IpAddress prefix(int v4Bits, int v6Bits) {
        if (!isV6) {
            return v4(low & (-1L << (V4_BITS - v4Bits)) & 0xffffffffL);
        }
        long highMask = v6Bits >= Long.SIZE ? -1L : -1L << (Long.SIZE - v6Bits);
        long lowMask = v6Bits <= Long.SIZE ? 0 : -1L << (V6_BITS - v6Bits);
        return new IpAddress(high & highMask, low & lowMask, true);
    }

    private static int[] v4Groups(String text) {
        long bits = v4Bits(text, text);
        return new int[] {0, 0, 0, 0, 0, (int) V4_MAPPED, (int) (bits >>> 16), (int) (bits & 0xffff)};
    }

    private static long v4Bits(String text, String whole) {
        String[] parts = text.split("\\.", -1);
        if (parts.length != 4) {
            throw malformed(whole);
        }
        long bits = 0;
        for (String part : parts) {
            boolean decimal =
                    part.length() <= 3 && !part.isEmpty() && part.chars().allMatch(c -> c >= '0' && c <= '9');
            // A leading zero is octal to some readers and decimal to others: two spellings of one key, or two keys.
            if (!decimal || (part.length() > 1 && part.charAt(0) == '0') || Integer.parseInt(part) > 255) {
                throw malformed(whole);
            }
            bits = bits << 8 | Integer.parseInt(part);
        }
        return bits;
    }

    private static int[] v6Groups(String text) {
        int gap = text.indexOf("::");
        if (gap < 0) {
            int[] groups = groups(text, text);
            return groups.length == GROUPS ? groups : fail(text);
        }
        int[] before = groups(text.substring(0, gap), text);
        int[] after = groups(text.substring(gap + 2), text);
        if (before.length + after.length >= GROUPS) {
            throw malformed(text);
        }
        int[] groups = Arrays.copyOf(before, GROUPS);
        System.arraycopy(after, 0, groups, GROUPS - after.length, after.length);
        return groups;
    }

    private static int[] groups(String text, String whole) {
        if (text.isEmpty()) {
            return new int[0];
        }
        String[] parts = text.split(":", -1);
        int last = parts.length - 1;
        if (parts[last].indexOf('.') < 0) {
            return Arrays.stream(parts).mapToInt(part -> group(part, whole)).toArray();
        }
        long bits = v4Bits(parts[last], whole);
        IntStream head = Arrays.stream(parts, 0, last).mapToInt(part -> group(part, whole));
        return IntStream.concat(head, IntStream.of((int) (bits >>> 16), (int) (bits & 0xffff)))
                .toArray();
    }

    private static int group(String part, String whole) {
        boolean hex = !part.isEmpty()
                && part.length() <= 4
                && part.chars().allMatch(c -> Character.digit(c, 16) >= 0 && c < 128);
        if (!hex) {
            throw malformed(whole);
        }
        return Integer.parseInt(part, 16);
    }

    private static long join(int[] groups, int from) {
        return (long) groups[from] << 48
                | (long) groups[from + 1] << 32
                | (long) groups[from + 2] << 16
                | groups[from + 3];
    }

    private static int[] fail(String text) {
        throw malformed(text);
    }

    private static ValidationException malformed(String text) {
        return Validator.invalid("ip", text, "must be an IPv4 or IPv6 address");
    }

    /** The canonical text: lower case, the longest run of two or more zero groups as {@code ::}. */
    @Override
    public String toString() {
        if (!isV6) {
            return (low >>> 24) + "." + (low >>> 16 & 255) + "." + (low >>> 8 & 255) + "." + (low & 255);
        }
        int[] groups = IntStream.range(0, GROUPS)
                .map(i -> (int) ((i < 4 ? high : low) >>> (48 - 16 * (i % 4)) & 0xffff))
                .toArray();
        int start = 0;
        int length = 0;
        for (int i = 0; i < GROUPS; i++) {
            int run = zeroRun(groups, i);
            if (run > length) {
                start = i;
                length = run;
            }
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < GROUPS; i++) {
            if (length >= 2 && i == start) {
                text.append("::");
                i += length - 1;
            } else {
                boolean separated = text.isEmpty() || text.charAt(text.length() - 1) == ':';
                text.append(separated ? "" : ":").append(Integer.toHexString(groups[i]));
            }
        }
        return text.toString();
    }

    private static int zeroRun(int[] groups, int from) {
        int end = from;
        while (end < GROUPS && groups[end] == 0) {
            end++;
        }
        return end - from;
    }

    /** All addresses that share their leading bits; an address alone shares all of them. What lies beyond is cleared. */
    public record IpPrefix(IpAddress address, int bits) {
        private static final Pattern BITS = Pattern.compile("([^/]*)/([1-9][0-9]{0,2})");
        private static final int BITS_BEFORE_MAPPED_V4 = IpAddress.V6_BITS - IpAddress.V4_BITS;

        public IpPrefix {
            int bitsMax = whole(address);
            new Validator()
                    .require(
                            bits >= 1 && bits <= bitsMax,
                            "identifier",
                            address + "/" + bits,
                            "must have a prefix from 1 to " + bitsMax)
                    .throwIfInvalid();
            address = address.prefix(bits, bits);
        }

        /** Reads {@code 203.0.113.9}, {@code 203.0.113.0/24}, {@code 2001:db8::/32}. */
        public static IpPrefix parse(String text) {
            Matcher matcher = BITS.matcher(text);
            boolean prefixed = matcher.matches();
            String literal = prefixed ? matcher.group(1) : text;
            Validator rules = new Validator();
            IpAddress address = rules.attempt("identifier", () -> IpAddress.parse(literal), IpAddress.UNSPECIFIED);
            rules.throwIfInvalid();
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
}
