package io.meridian.limiter.caller;

import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Identity of the caller of a raw request: attributes, and for each where it comes from.
 *
 * @param attributes {@code api_key}, {@code user_id}, {@code ip}, as far as they are known
 */
public record Caller(
        Map<String, String> attributes,
        @Nullable Source keySource,
        @Nullable Source userSource,
        @Nullable Source addressSource) {
    static final String API_KEY = "api_key";
    static final String USER_ID = "user_id";
    static final String IP = "ip";

    /** Origin of an attribute. */
    public enum Source {
        /** The header X-API-Key. */
        HEADER,
        /** A bearer token that is no JWT, or is not looked into. */
        BEARER_TOKEN,
        /** The subject of a JWT whose signature and times were verified. */
        JWT,
        /** The subject of a JWT that nobody here has verified. */
        UNVERIFIED_JWT,
        /** A trusted proxy. */
        FORWARDED,
        /** The connection. */
        PEER;

        private final String text = name().toLowerCase(Locale.ROOT);

        @Override
        public String toString() {
            return text;
        }
    }

    public Caller {
        attributes = Map.copyOf(attributes);
    }

    /** The identifier by which the caller is known best: its API key, else its user, else its address. */
    public @Nullable String clientId() {
        String key = attributes.get(API_KEY);
        String user = key == null ? attributes.get(USER_ID) : key;
        return user == null ? attributes.get(IP) : user;
    }

    /** Whether the user is one that nobody has verified. */
    public boolean isUnverified() {
        return userSource == Source.UNVERIFIED_JWT;
    }

    /** The source of an attribute. */
    public @Nullable Source source(String attribute) {
        return switch (attribute) {
            case API_KEY -> keySource;
            case USER_ID -> userSource;
            case IP -> addressSource;
            default -> null;
        };
    }
}
