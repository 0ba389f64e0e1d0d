package io.meridian.model.match;

import io.meridian.model.policy.EndpointPath;
import io.meridian.model.policy.IpAddress;
import io.meridian.model.policy.KeyPart;
import io.meridian.model.policy.KeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Builds the text of a limit's key. Commas within values are escaped, so that no two clients share a key by the way
 * their identifiers happen to be spelled.
 */
final class LimitKey {
    private final KeyPart[] parts;
    /** What stands before each value: {@code tenant=}, {@code ,user_id=}. */
    private final String[] labels;

    LimitKey(KeySpec spec) {
        this.parts = spec.parts().toArray(KeyPart[]::new);
        this.labels = new String[parts.length];
        for (int i = 0; i < parts.length; i++) {
            labels[i] = (i == 0 ? "" : ",") + parts[i].attribute() + "=";
        }
    }

    /** The key of a check, or null if the check lacks a part and the policy does not apply. */
    @Nullable String of(Check check) {
        String key = "";
        for (int i = 0; i < parts.length; i++) {
            String value = value(parts[i], check);
            if (value == null) {
                return null;
            }
            key = i == 0 ? labels[i].concat(escaped(value)) : key + labels[i] + escaped(value);
        }
        return key;
    }

    private static @Nullable String value(KeyPart part, Check check) {
        if (part instanceof KeyPart.Attribute attribute) {
            return check.attributes().get(attribute.attribute());
        }
        if (part instanceof KeyPart.Address address) {
            return prefix(address, check.address());
        }
        String value = part == KeyPart.Request.METHOD ? check.method() : EndpointPath.text(check.segments());
        return value.isEmpty() ? null : value;
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

    private static String escaped(String value) {
        boolean plain = value.indexOf(',') < 0 && value.indexOf('%') < 0;
        return plain ? value : value.replace("%", "%25").replace(",", "%2C");
    }
}
