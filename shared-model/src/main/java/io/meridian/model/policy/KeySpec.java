package io.meridian.model.policy;

import io.meridian.model.validation.EnumNames;
import io.meridian.model.validation.Validator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Key by which a policy counts: its parts, in order. Without parts there is one counter for all. */
public record KeySpec(List<KeyPart> parts) {
    static final int PARTS_MAX = 8;

    public static final KeySpec ONE_FOR_ALL = new KeySpec(List.of());

    public KeySpec {
        parts = List.copyOf(parts);
        String names = parts.stream().map(KeyPart::attribute).collect(Collectors.joining(", "));
        new Validator()
                .require(parts.size() <= PARTS_MAX, "key", parts.size(), "must have at most " + PARTS_MAX + " parts")
                .require(
                        new LinkedHashSet<>(parts.stream()
                                                .map(KeyPart::attribute)
                                                .toList())
                                        .size()
                                == parts.size(),
                        "key",
                        names,
                        "must not name an attribute twice")
                .throwIfInvalid();
    }

    public static KeySpec of(String... parts) {
        return new KeySpec(List.of(parts).stream().map(KeyPart::parse).toList());
    }

    /** One part of a key: an attribute of the request, its endpoint or method, or an address and how much of it counts. */
    public sealed interface KeyPart {
        /** The attribute it reads. */
        String attribute();

        /** An attribute, taken as it is. */
        record Attribute(String attribute) implements KeyPart {
            private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]{0,63}");
            private static final Set<String> RESERVED = Set.of("endpoint", "method", "ip");

            public Attribute {
                new Validator()
                        .require(
                                NAME.matcher(attribute).matches() && !RESERVED.contains(attribute),
                                "key",
                                attribute,
                                "must be 1 to 64 of a-z, 0-9 and _, the first a letter, or ip/V4PREFIX/V6PREFIX")
                        .throwIfInvalid();
            }

            @Override
            public String toString() {
                return attribute;
            }
        }

        /** The request's endpoint or method. */
        enum Request implements KeyPart {
            ENDPOINT,
            METHOD;

            @Override
            public String attribute() {
                return EnumNames.text(this);
            }

            @Override
            public String toString() {
                return attribute();
            }
        }

        /** The leading bits of the address: {@code ip}, {@code ip/24} (an IPv6 address by its /64), {@code ip/24/56}. */
        record Address(int v4Bits, int v6Bits) implements KeyPart {
            private static final Pattern PREFIXES = Pattern.compile("ip/(\\d{1,3})(?:/(\\d{1,3}))?");
            static final int V6_BITS_OF_ONE_SITE = 64;

            public Address {
                new Validator()
                        .require(
                                v4Bits >= 1 && v4Bits <= IpAddress.V4_BITS,
                                "key",
                                "ip/" + v4Bits,
                                "must have an IPv4 prefix from 1 to 32")
                        .require(
                                v6Bits >= 1 && v6Bits <= IpAddress.V6_BITS,
                                "key",
                                "ip/" + v4Bits + "/" + v6Bits,
                                "must have an IPv6 prefix from 1 to 128")
                        .throwIfInvalid();
            }

            @Override
            public String attribute() {
                return "ip";
            }

            @Override
            public String toString() {
                boolean whole = v4Bits == IpAddress.V4_BITS && v6Bits == IpAddress.V6_BITS;
                return whole ? "ip" : "ip/" + v4Bits + "/" + v6Bits;
            }
        }

        static KeyPart parse(String text) {
            return switch (text) {
                case "endpoint" -> Request.ENDPOINT;
                case "method" -> Request.METHOD;
                case "ip" -> new Address(IpAddress.V4_BITS, IpAddress.V6_BITS);
                default -> parseOther(text);
            };
        }

        private static KeyPart parseOther(String text) {
            Matcher prefixes = Address.PREFIXES.matcher(text);
            if (!prefixes.matches()) {
                return new Attribute(text);
            }
            String v6 = prefixes.group(2);
            return new Address(
                    Integer.parseInt(prefixes.group(1)),
                    v6 == null ? Address.V6_BITS_OF_ONE_SITE : Integer.parseInt(v6));
        }
    }
}
