package io.meridian.limiter.caller;

import io.meridian.limiter.caller.BearerTokens.Reading;
import io.meridian.limiter.caller.Caller.Source;
import io.meridian.limiter.caller.ClientAddresses.ClientAddress;
import io.meridian.model.access.TokenText;
import io.meridian.model.match.Check;
import io.vertx.core.http.HttpServerRequest;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Identification of the caller of a raw request, by its API key, its bearer token and its address: all that is known counts. */
@Singleton
public class CallerResolver {
    private final BearerTokens tokens;
    private final ClientAddresses addresses;

    CallerResolver(BearerTokens tokens, ClientAddresses addresses) {
        this.tokens = tokens;
        this.addresses = addresses;
    }

    /**
     * The caller of a request.
     *
     * @param bearer the user's bearer token, null if there is none
     */
    public Caller identify(HttpServerRequest request, @Nullable String bearer) {
        Map<String, String> attributes = new HashMap<>();
        Source keySource = null;
        Source userSource = null;
        String key = request.getHeader("X-API-Key");
        if (key != null && !key.isBlank()) {
            attributes.put(Caller.API_KEY, key.strip());
            keySource = Source.HEADER;
        }
        if (bearer != null && !bearer.isEmpty()) {
            Reading reading = tokens.read(bearer);
            if (reading instanceof Reading.User user) {
                attributes.put(Caller.USER_ID, user.subject());
                userSource = user.verified() ? Source.JWT : Source.UNVERIFIED_JWT;
            } else if (reading instanceof Reading.Opaque && keySource == null) {
                attributes.put(Caller.API_KEY, asKey(bearer));
                keySource = Source.BEARER_TOKEN;
            }
        }
        ClientAddress client = addresses.of(request);
        if (client != null) {
            attributes.put(Caller.IP, client.address().toString());
        }
        Source addressSource = client == null ? null : client.forwarded() ? Source.FORWARDED : Source.PEER;
        return new Caller(attributes, keySource, userSource, addressSource);
    }

    /** A token that is too long to be a key, or a credential that no answer or record should repeat, stands for itself by its hash. */
    private static String asKey(String token) {
        boolean kept =
                token.length() <= Check.VALUE_MAX && !BearerTokens.isJwt(token) && !token.startsWith(TokenText.PREFIX);
        return kept ? token : "sha256:" + hash(token);
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
