package io.meridian.model.match;

import io.meridian.model.policy.EndpointPattern;
import io.meridian.model.policy.IpAddress;
import io.meridian.model.policy.KeyPart;
import io.meridian.model.policy.KeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Builds the text of a limit's key. Commas within values are escaped, so that no two clients share a key by the way
 * their identifiers happen to be spelled.
 */
final class LimitKey {
    private LimitKey() {}

    /** The key of a check, or null if the check lacks a part and the policy does not apply. */
    static @Nullable String of(KeySpec spec, Check check) {
        StringBuilder key = new StringBuilder(64);
        for (int i = 0; i < spec.parts().size(); i++) {
            KeyPart part = spec.parts().get(i);
            String value = value(part, check);
            if (value == null) {
                return null;
            }
            key.append(i == 0 ? "" : ",").append(part.attribute()).append('=');
            append(key, value);
        }
        return key.toString();
    }

    private static @Nullable String value(KeyPart part, Check check) {
        if (part instanceof KeyPart.Address address) {
            return prefix(address, check.address());
        }
        if (part == KeyPart.Request.ENDPOINT) {
            return check.endpoint().isEmpty() ? null : EndpointPattern.normalized(check.endpoint());
        }
        if (part == KeyPart.Request.METHOD) {
            return check.method().isEmpty() ? null : check.method();
        }
        return check.attributes().get(part.attribute());
    }

    private static @Nullable String prefix(KeyPart.Address part, @Nullable IpAddress address) {
        if (address == null) {
            return null;
        }
        int bits = address.isV6() ? part.v6Bits() : part.v4Bits();
        boolean whole = bits == (address.isV6() ? IpAddress.V6_BITS : IpAddress.V4_BITS);
        String text = address.prefix(part.v4Bits(), part.v6Bits()).toString();
        return whole ? text : text + "/" + bits;
    }

    private static void append(StringBuilder key, String value) {
        if (value.indexOf(',') < 0 && value.indexOf('%') < 0) {
            key.append(value);
            return;
        }
        key.append(value.replace("%", "%25").replace(",", "%2C"));
    }
}
