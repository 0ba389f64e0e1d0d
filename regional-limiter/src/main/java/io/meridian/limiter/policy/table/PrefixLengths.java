package io.meridian.limiter.policy.table;

import io.meridian.model.policy.IpAddress;
import java.util.stream.IntStream;

/** The lengths of the prefixes a table holds, the longest first: only these are worth a look-up. */
final class PrefixLengths {
    private final int[] v4;
    private final int[] v6;

    private PrefixLengths(int[] v4, int[] v6) {
        this.v4 = v4;
        this.v6 = v6;
    }

    int[] of(IpAddress address) {
        return address.isV6() ? v6 : v4;
    }

    /** How many prefixes of each length there are. */
    static final class Counts {
        private final long[] v4 = new long[IpAddress.V4_BITS + 1];
        private final long[] v6 = new long[IpAddress.V6_BITS + 1];

        void add(byte[] key, long number) {
            (key.length == IdentifierKey.V6_LENGTH ? v6 : v4)[key[0] & 0xff] += number;
        }

        PrefixLengths lengths() {
            return new PrefixLengths(longestFirst(v4), longestFirst(v6));
        }

        private static int[] longestFirst(long[] counts) {
            return IntStream.range(0, counts.length)
                    .map(i -> counts.length - 1 - i)
                    .filter(length -> counts[length] > 0)
                    .toArray();
        }
    }
}
