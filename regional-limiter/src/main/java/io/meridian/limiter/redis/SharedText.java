package io.meridian.limiter.redis;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;

/** Policy and key as scripts take and keep them: length (1 byte) and policy, length (2) and key. */
record SharedText(String policyId, String key) {
    static void append(Buffer packed, String policyId, String key) {
        byte[] policy = policyId.getBytes(StandardCharsets.UTF_8);
        byte[] text = key.getBytes(StandardCharsets.UTF_8);
        packed.appendUnsignedByte((short) policy.length)
                .appendBytes(policy)
                .appendUnsignedShort(text.length)
                .appendBytes(text);
    }

    static SharedText read(Buffer packed, int from) {
        int policyEnd = from + 1 + packed.getUnsignedByte(from);
        int keyFrom = policyEnd + Short.BYTES;
        return new SharedText(
                packed.getString(from + 1, policyEnd),
                packed.getString(keyFrom, keyFrom + packed.getUnsignedShort(policyEnd)));
    }
}
