package io.meridian.limiter.api;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.meridian.model.match.Check;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Whom a bearer token names. It is decoded and not verified: that is for the gateway to do first, or a forged token spends
 * another user's quota.
 */
sealed interface BearerToken {
    void addTo(Map<String, String> attributes);

    /** No token. */
    record None() implements BearerToken {
        @Override
        public void addTo(Map<String, String> attributes) {}
    }

    /** A JSON Web Token with a subject. */
    record User(String subject) implements BearerToken {
        @Override
        public void addTo(Map<String, String> attributes) {
            attributes.put("user_id", subject);
        }
    }

    /** Any other token: it is as good as a key. One too long to be a key stands for itself by its hash. */
    record Opaque(String token) implements BearerToken {
        @Override
        public void addTo(Map<String, String> attributes) {
            attributes.putIfAbsent("api_key", token.length() <= Check.VALUE_MAX ? token : "sha256:" + hash(token));
        }
    }

    static BearerToken of(@Nullable String token) {
        if (token == null || token.isEmpty()) {
            return new None();
        }
        String subject = subject(token);
        return subject == null ? new Opaque(token) : new User(subject);
    }

    private static @Nullable String subject(String token) {
        int first = token.indexOf('.');
        int second = first < 0 ? -1 : token.indexOf('.', first + 1);
        if (second < 0 || token.indexOf('.', second + 1) >= 0) {
            return null;
        }
        try {
            return subject(Base64.getUrlDecoder().decode(token.substring(first + 1, second)));
        } catch (IllegalArgumentException | IOException none) {
            return null;
        }
    }

    private static @Nullable String subject(byte[] payload) throws IOException {
        try (JsonParser json = Json.parser(payload)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                return null;
            }
            for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
                if (name.equals("sub")) {
                    String subject = json.nextTextValue();
                    return subject == null || subject.isEmpty() ? null : subject;
                }
                json.nextToken();
                json.skipChildren();
            }
            return null;
        }
    }

    private static String hash(String token) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(sha.digest(token.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java has SHA-256", impossible);
        }
    }
}
