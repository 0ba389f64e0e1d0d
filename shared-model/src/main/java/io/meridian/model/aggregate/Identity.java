package io.meridian.model.aggregate;

import io.meridian.model.hash.SipHash;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Which limit in which window, as the bytes with which its packed entry begins. */
final class Identity {
    private final byte[] bytes;
    private final int hash;

    Identity(byte[] bytes, SipHash hash) {
        this.bytes = bytes;
        this.hash = (int) hash.of(bytes, 0, bytes.length);
    }

    /** Whether what is packed is of this identity: no identity is the beginning of another. */
    boolean isOf(byte[] packed) {
        return packed.length >= bytes.length && Arrays.equals(packed, 0, bytes.length, bytes, 0, bytes.length);
    }

    /** The hash of the identity with which a packed entry begins. */
    static int hashOf(byte[] packed, SipHash hash) {
        return (int) hash.of(packed, 0, length(packed));
    }

    /** Policy and start are numbers of seven bits a byte, the key follows with its length. */
    private static int length(byte[] packed) {
        int at = 0;
        for (int numbers = 0; numbers < 2; at++) {
            numbers += packed[at] >= 0 ? 1 : 0;
        }
        int length = 0;
        int shift = 0;
        byte next;
        do {
            next = packed[at++];
            length |= (next & 0x7f) << shift;
            shift += 7;
        } while (next < 0);
        return at + length;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Identity identity && Arrays.equals(bytes, identity.bytes);
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
