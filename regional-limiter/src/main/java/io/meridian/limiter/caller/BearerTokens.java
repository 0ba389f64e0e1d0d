package io.meridian.limiter.caller;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.meridian.limiter.LimiterConfig.JwtConfig;
import io.meridian.limiter.caller.JwtKeys.JwksUrl;
import io.meridian.limiter.caller.JwtKeys.PublicKeys;
import io.meridian.limiter.metrics.CallerMetrics;
import io.meridian.limiter.metrics.CallerMetrics.TokenOutcome;
import io.meridian.limiter.metrics.LimiterMetrics;
import io.meridian.model.time.TimeSource;
import io.meridian.model.validation.Validator;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PublicKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import org.jboss.logging.Logger;
import org.jose4j.jwk.JsonWebKey;
import org.jose4j.lang.JoseException;
import org.jspecify.annotations.Nullable;

/**
 * Reader of bearer tokens: the user that a token names, and whether that was verified. Where keys are configured, a JWT that they
 * do not verify says nothing, and is no API key either: who can make up tokens could take a new counter with each.
 */
@Singleton
class BearerTokens {
    private static final Logger LOG = Logger.getLogger(BearerTokens.class);
    private static final String PREFIX = "meridian.limiter.jwt.";
    private static final Set<String> ALGORITHMS =
            Set.of("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512");
    private static final String ALGORITHM_RULE =
            "must be one of RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512";
    private static final Duration CLOCK_SKEW_MAX = Duration.ofMinutes(10);
    private static final int DEPTH_MAX = 32;
    private static final JsonFactory JSON = JsonFactory.builder()
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .disable(JsonFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxNestingDepth(DEPTH_MAX).build())
            .build();

    private final CallerMetrics metrics;
    private final boolean unverified;
    private @Nullable JwtKeys keys;
    private final @Nullable JwtVerifier verifier;

    BearerTokens(JwtConfig config, TimeSource time, LimiterMetrics metrics) {
        this.metrics = metrics.callers();
        this.unverified = config.acceptUnverified();
        List<String> given = given(config);
        if (given.size() > 1) {
            throw Validator.invalid(PREFIX + given.get(1), "it and " + given.get(0), "must be the only source of keys");
        }
        if (unverified && !given.isEmpty()) {
            throw Validator.invalid(
                    PREFIX + "accept-unverified", true, "must be false where " + given.get(0) + " is set");
        }
        this.verifier = given.isEmpty() ? null : verifier(config, time);
        if (unverified) {
            LOG.warn(
                    "the user of a JWT is believed WITHOUT VERIFICATION (" + PREFIX + "accept-unverified=true): whoever"
                            + " reaches forward-auth past the gateway that verifies tokens can spend any user's quota");
        }
    }

    @PreDestroy
    void close() {
        if (keys != null) {
            keys.close();
        }
    }

    /** Result of reading a token. */
    sealed interface Reading {
        /** A token of a user. */
        record User(String subject, boolean verified) implements Reading {}

        /** Not a JWT, or one where JWTs are not read: counted as an API key. */
        record Opaque() implements Reading {}

        /** A JWT that is not believed. */
        record Refused() implements Reading {}
    }

    Reading read(String token) {
        if (verifier != null && isJwt(token)) {
            String subject = verifier.subject(token);
            metrics.token(subject == null ? TokenOutcome.REFUSED : TokenOutcome.VERIFIED);
            return subject == null ? new Reading.Refused() : new Reading.User(subject, true);
        }
        String subject = unverified ? claimedSubject(token) : null;
        metrics.token(subject == null ? TokenOutcome.OPAQUE : TokenOutcome.UNVERIFIED);
        return subject == null ? new Reading.Opaque() : new Reading.User(subject, false);
    }

    private static List<String> given(JwtConfig config) {
        List<String> given = new ArrayList<>();
        config.jwksUrl().ifPresent(url -> given.add("jwks-url"));
        config.jwksFile().ifPresent(file -> given.add("jwks-file"));
        config.publicKey().ifPresent(key -> given.add("public-key"));
        config.publicKeyFile().ifPresent(file -> given.add("public-key-file"));
        return given;
    }

    private JwtVerifier verifier(JwtConfig config, TimeSource time) {
        JwtVerifier.Expected expected = expected(config);
        if (config.publicKey().isPresent()) {
            String pem = config.publicKey().get();
            return fixed(
                    PublicKeys.parse(PREFIX + "public-key", "a text of " + pem.length() + " characters", pem),
                    expected,
                    time);
        }
        if (config.publicKeyFile().isPresent()) {
            Path file = config.publicKeyFile().get();
            String setting = PREFIX + "public-key-file";
            return fixed(PublicKeys.parse(setting, file.toString(), text(setting, file)), expected, time);
        }
        JwtKeys read = new JwtKeys(source(config), config.jwksRefresh(), config.jwksRefreshMin(), time, metrics);
        keys = read;
        read.start(config.jwksTimeout());
        return new JwtVerifier(read, read::version, expected, time);
    }

    private static JwtVerifier fixed(PublicKey key, JwtVerifier.Expected expected, TimeSource time) {
        return new JwtVerifier((token, nesting) -> key, () -> 0, expected, time);
    }

    private static JwtVerifier.Expected expected(JwtConfig config) {
        for (String algorithm : config.algorithms()) {
            if (!ALGORITHMS.contains(algorithm)) {
                throw Validator.invalid(PREFIX + "algorithms", algorithm, ALGORITHM_RULE);
            }
        }
        atLeast("jwks-refresh", config.jwksRefresh(), Duration.ofSeconds(1));
        atLeast("jwks-refresh-min", config.jwksRefreshMin(), Duration.ofSeconds(1));
        atLeast("jwks-timeout", config.jwksTimeout(), Duration.ofMillis(1));
        atLeast("clock-skew", config.clockSkew(), Duration.ZERO);
        if (config.clockSkew().compareTo(CLOCK_SKEW_MAX) > 0) {
            throw Validator.invalid(PREFIX + "clock-skew", config.clockSkew(), "must be at most " + CLOCK_SKEW_MAX);
        }
        return new JwtVerifier.Expected(
                config.algorithms(),
                config.issuer(),
                config.audience().orElse(List.of()),
                config.clockSkew(),
                config.cacheSize().asLongValue());
    }

    private static void atLeast(String setting, Duration value, Duration least) {
        if (value.compareTo(least) < 0) {
            throw Validator.invalid(PREFIX + setting, value, "must be at least " + least);
        }
    }

    private static JwtKeys.Source source(JwtConfig config) {
        if (config.jwksUrl().isPresent()) {
            URI url = config.jwksUrl().get();
            boolean web = "https".equals(url.getScheme()) || "http".equals(url.getScheme());
            if (!web || url.getHost() == null) {
                throw Validator.invalid(PREFIX + "jwks-url", url, "must be an https URL");
            }
            if ("http".equals(url.getScheme())) {
                LOG.warnf("the JWKS is read without TLS: who can change it on its way can be any user: url=%s", url);
            }
            return new JwksUrl(url, config.jwksTimeout());
        }
        Path file = config.jwksFile().orElseThrow();
        String setting = PREFIX + "jwks-file";
        usable(setting, file);
        return new JwtKeys.Source() {
            @Override
            public String read() throws IOException {
                try (InputStream in = Files.newInputStream(file)) {
                    byte[] document = in.readNBytes(JwtKeys.DOCUMENT_MAX + 1);
                    if (document.length > JwtKeys.DOCUMENT_MAX) {
                        throw new IOException("has more than " + JwtKeys.DOCUMENT_MAX + " bytes");
                    }
                    return new String(document, StandardCharsets.UTF_8);
                }
            }

            @Override
            public String toString() {
                return file.toString();
            }
        };
    }

    /** A file that is wrong from the beginning is a mistake of whoever starts this, and not one of the issuer's. */
    private static void usable(String setting, Path file) {
        try {
            List<JsonWebKey> unused = JwtKeys.parse(text(setting, file));
        } catch (JoseException malformed) {
            throw Validator.invalid(setting, file, "must be a JWKS: " + malformed.getMessage());
        }
    }

    private static String text(String setting, Path file) {
        try {
            if (Files.size(file) > JwtKeys.DOCUMENT_MAX) {
                throw Validator.invalid(setting, file, "must be a file of at most " + JwtKeys.DOCUMENT_MAX + " bytes");
            }
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw Validator.invalid(setting, file, "must be a file that can be read: " + unreadable);
        }
    }

    /** Whether a text is of the form of a signed token: three parts, of which the first is an object in JSON. */
    static boolean isJwt(String token) {
        int first = token.indexOf('.');
        int second = first < 0 ? -1 : token.indexOf('.', first + 1);
        return second > 0
                && token.indexOf('.', second + 1) < 0
                // An object's brace and what may follow it, in Base64.
                && (token.startsWith("ey") || token.startsWith("ew"));
    }

    private static @Nullable String claimedSubject(String token) {
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
        try (JsonParser json = JSON.createParser(payload)) {
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
}
