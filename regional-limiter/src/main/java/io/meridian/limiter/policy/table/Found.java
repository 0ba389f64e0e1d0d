package io.meridian.limiter.policy.table;

import io.meridian.model.match.Check;
import io.meridian.model.policy.IpAddress.IpPrefix;
import io.meridian.model.policy.IpAddress;

/** An entry that a client was found by. */
public final class Found {
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
