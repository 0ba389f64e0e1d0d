package io.meridian.limiter.policy.table;

import io.meridian.model.match.Check;
import io.meridian.model.policy.IpAddress;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

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
            return payload != null && payload[0] > nowMicros && fit.test(payload) ? new Found(type, 0, payload) : null;
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
