package io.meridian.model.rules;

import io.meridian.model.policy.IpAddress.IpPrefix;
import io.meridian.model.validation.Validator;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * One way to name clients: an attribute and its value. An address is kept in its canonical text and may be a prefix, which
 * names all clients within it.
 *
 * @param type {@code user_id}, {@code api_key}, {@code ip}, {@code tenant} or any other attribute
 */
public record Identifier(String type, String value) {
    public static final String ADDRESS = "ip";

    /** The longest value, in characters: what a check may carry. */
    public static final int VALUE_MAX = 512;

    private static final List<String> FIRST = List.of("api_key", "user_id", "tenant", ADDRESS);

    /** Order of types in which a client's entries are looked up: api_key, user_id, tenant, ip, then the others by name. */
    public static final Comparator<String> PRECEDENCE = Comparator.<String>comparingInt(
                    type -> FIRST.contains(type) ? FIRST.indexOf(type) : FIRST.size())
            .thenComparing(Comparator.naturalOrder());

    private static final Pattern TYPE = Pattern.compile("[a-z][a-z0-9_]{0,63}");
    private static final Set<String> NOT_OF_CLIENTS = Set.of("endpoint", "method");

    /** Whether clients can be named by an attribute of this name. */
    public static boolean isType(String name) {
        return TYPE.matcher(name).matches() && !NOT_OF_CLIENTS.contains(name);
    }

    public Identifier {
        Validator rules = new Validator()
                .require(
                        isType(type),
                        "identifier_type",
                        type,
                        "must be an attribute: 1 to 64 of a-z, 0-9 and _, the first a letter");
        if (type.equals(ADDRESS)) {
            String text = value;
            value = rules.attempt(() -> IpPrefix.parse(text).toString(), text);
        } else {
            rules.require(
                            !value.isEmpty() && value.codePointCount(0, value.length()) <= VALUE_MAX,
                            "identifier",
                            value,
                            "must have 1 to " + VALUE_MAX + " characters")
                    .require(
                            Validator.isPlain(value),
                            "identifier",
                            value,
                            "must be text without control characters or lone surrogates");
        }
        rules.throwIfInvalid();
    }

    @Override
    public String toString() {
        return type + "=" + value;
    }
}
