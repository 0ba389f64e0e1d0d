package io.meridian.limiter.policy.table;

import io.meridian.model.policy.IpAddress.IpPrefix;
import io.meridian.model.policy.IpAddress;
import io.meridian.model.rules.Identifier;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** The bytes of an identifier in the table of its type: UTF-8, or a prefix's length and its 4 or 16 bytes of address. */
final class IdentifierKey {
    static final int V4_LENGTH = 1 + Integer.BYTES;
    static final int V6_LENGTH = 1 + 2 * Long.BYTES;

    private IdentifierKey() {}

    static byte[] of(Identifier identifier) {
        if (!identifier.type().equals(Identifier.ADDRESS)) {
            return identifier.value().getBytes(StandardCharsets.UTF_8);
        }
        IpPrefix prefix = IpPrefix.parse(identifier.value());
        return of(prefix.address(), prefix.bits());
    }

    /** The key of the leading bits of an address. */
    static byte[] of(IpAddress address, int bits) {
        IpAddress prefix = address.prefix(bits, bits);
        return prefix.isV6()
                ? ByteBuffer.allocate(V6_LENGTH)
                        .put((byte) bits)
                        .putLong(prefix.high())
                        .putLong(prefix.low())
                        .array()
                : ByteBuffer.allocate(V4_LENGTH)
                        .put((byte) bits)
                        .putInt((int) prefix.low())
                        .array();
    }

    static Identifier read(String type, byte[] bytes, int from, int length) {
        if (!type.equals(Identifier.ADDRESS)) {
            return new Identifier(type, new String(bytes, from, length, StandardCharsets.UTF_8));
        }
        ByteBuffer key = ByteBuffer.wrap(bytes, from, length);
        int bits = key.get() & 0xff;
        IpAddress address = length == V6_LENGTH
                ? new IpAddress(key.getLong(), key.getLong(), true)
                : new IpAddress(0, key.getInt() & 0xffffffffL, false);
        return new Identifier(type, new IpPrefix(address, bits).toString());
    }
}
