package io.meridian.limiter.rules.table;

import io.meridian.limiter.rules.table.IdentifierTable.Fit;
import io.meridian.limiter.rules.table.IdentifierTable.Found;
import io.meridian.limiter.rules.table.IdentifierTable.IdentifierKey;
import io.meridian.limiter.rules.table.IdentifierTable.PrefixLengths;
import io.meridian.limiter.rules.table.PackedTable.LayeredTable;
import io.meridian.model.match.Check;
import io.meridian.model.policy.IpAddress;
import io.meridian.model.policy.IpAddress.IpPrefix;
import io.meridian.model.rules.Identifier;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Immutable table of clients by identifier. The payload of each is a few longs, the first of them its expiry in microseconds. Only
 * types that occur are looked up: api_key before user_id before tenant before ip, then the others by name.
 */
public final class IdentifierTable {
    /** No clients. */
    public static final IdentifierTable EMPTY = new IdentifierTable(List.of());

    private final TypeTable[] tables;
    private final long size;

    IdentifierTable(List<TypeTable> tables) {
        this.tables = tables.stream()
                .filter(table -> table.table().size() > 0)
                .sorted(Comparator.comparing(TypeTable::type, Identifier.PRECEDENCE))
                .toArray(TypeTable[]::new);
        this.size = tables.stream().mapToLong(table -> table.table().size()).sum();
    }

    public boolean isEmpty() {
        return tables.length == 0;
    }

    /** How many entries there are, expired ones included. */
    public long size() {
        return size;
    }

    /** Approximate size on the heap in bytes. */
    public long bytes() {
        return Arrays.stream(tables).mapToLong(table -> table.table().bytes()).sum();
    }

    /** The entry of a client, null if it has none that is still in force. */
    public @Nullable Found find(Check check, long nowMicros) {
        return find(check, nowMicros, Fit.ANY);
    }

    /** The first entry of a client that is in force and fits. */
    public @Nullable Found find(Check check, long nowMicros, Fit fit) {
        for (TypeTable table : tables) {
            Found found = table.find(check, nowMicros, fit);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    /** How many entries have a payload that does not fit. */
    public long countUnfit(Fit fit) {
        long[] unfit = new long[1];
        for (TypeTable table : tables) {
            table.table().forEach((bytes, from, length, payload) -> unfit[0] += fit.test(payload) ? 0 : 1);
        }
        return unfit[0];
    }

    /** Shows every entry with its payload. */
    public void forEach(BiConsumer<Identifier, long[]> visitor) {
        for (TypeTable table : tables) {
            table.table()
                    .forEach((bytes, from, length, payload) ->
                            visitor.accept(IdentifierKey.read(table.type(), bytes, from, length), payload));
        }
    }

    /** Test of an entry where it was found. */
    public interface Fit {
        /** Any can. */
        Fit ANY = payload -> true;

        boolean test(long[] payload);
    }

    /** Entry that a client was found by. */
    public static final class Found {
        private final String type;
        private final int bits;
        private final long[] payload;

        /**
         * @param bits how much of the client's address, 0 if it was found by something else
         * @param payload as it was put, the expiry first
         */
        Found(String type, int bits, long[] payload) {
            this.type = type;
            this.bits = bits;
            this.payload = payload;
        }

        public String type() {
            return type;
        }

        public long payload(int index) {
            return payload[index];
        }

        /** The identifier as it is in the table. */
        public String identifier(Check check) {
            IpAddress address = check.address();
            return bits > 0 && address != null
                    ? new IpPrefix(address, bits).toString()
                    : check.attributes().getOrDefault(type, "");
        }
    }

    /** Key of an identifier in the table of its type: UTF-8, or a prefix's length and its 4 or 16 bytes of address. */
    static final class IdentifierKey {
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

    /** The lengths of the prefixes a table holds, the longest first: only these are worth a look-up. */
    static final class PrefixLengths {
        private final int[] v4;
        private final int[] v6;

        private PrefixLengths(int[] v4, int[] v6) {
            this.v4 = v4;
            this.v6 = v6;
        }

        int[] of(IpAddress address) {
            return address.isV6() ? v6 : v4;
        }

        /** Number of prefixes of each length. */
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

    /** The identifiers of one type. */
    sealed interface TypeTable {
        String type();

        LayeredTable table();

        /** The first entry for a client that has not expired and fits. */
        @Nullable Found find(Check check, long nowMicros, Fit fit);

        /** Attributes, taken as they are. */
        record Texts(String type, LayeredTable table) implements TypeTable {
            @Override
            public @Nullable Found find(Check check, long nowMicros, Fit fit) {
                String value = check.attributes().get(type);
                if (value == null) {
                    return null;
                }
                byte[] key = value.getBytes(StandardCharsets.UTF_8);
                long[] payload = table.find(key, key.length);
                return payload != null && payload[0] > nowMicros && fit.test(payload)
                        ? new Found(type, 0, payload)
                        : null;
            }
        }

        /** Addresses and prefixes: the longest that fits. */
        record Addresses(String type, LayeredTable table, PrefixLengths lengths) implements TypeTable {
            @Override
            public @Nullable Found find(Check check, long nowMicros, Fit fit) {
                IpAddress address = check.address();
                if (address == null) {
                    return null;
                }
                for (int bits : lengths.of(address)) {
                    byte[] key = IdentifierKey.of(address, bits);
                    long[] payload = table.find(key, key.length);
                    if (payload != null && payload[0] > nowMicros && fit.test(payload)) {
                        return new Found(type, bits, payload);
                    }
                }
                return null;
            }
        }
    }
}
