package io.meridian.limiter.caller;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.meridian.model.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import org.jose4j.jwa.AlgorithmConstraints;
import org.jose4j.jwa.AlgorithmConstraints.ConstraintType;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.jwt.MalformedClaimException;
import org.jose4j.jwt.NumericDate;
import org.jose4j.jwt.consumer.InvalidJwtException;
import org.jose4j.jwt.consumer.JwtConsumerBuilder;
import org.jose4j.keys.resolvers.VerificationKeyResolver;
import org.jspecify.annotations.Nullable;

/**
 * Verifier of tokens: signature by an accepted algorithm and a known key, {@code exp} (required), {@code nbf}, and issuer and audience where
 * they are configured. What was verified is remembered until it expires or the keys change, so that a client's next request costs
 * a look-up. What is refused costs at most one signature: a token that names no key is tried with one.
 */
final class JwtVerifier {
    static final int TOKEN_MAX = 8_192;

    private final VerificationKeyResolver keys;
    private final IntSupplier keysVersion;
    private final Expected expected;
    private final TimeSource time;
    private final Cache<String, Verified> verified;

    /** @param cacheBytes for the texts of verified tokens */
    record Expected(
            List<String> algorithms,
            Optional<String> issuer,
            List<String> audience,
            Duration clockSkew,
            long cacheBytes) {}

    private record Verified(String subject, long expiresSecond, int keysVersion) {}

    /** @param keysVersion another one for other keys: what was verified by former keys is verified again */
    JwtVerifier(VerificationKeyResolver keys, IntSupplier keysVersion, Expected expected, TimeSource time) {
        this.keys = keys;
        this.keysVersion = keysVersion;
        this.expected = expected;
        this.time = time;
        this.verified = Caffeine.newBuilder()
                .maximumWeight(expected.cacheBytes)
                .<String, Verified>weigher((token, known) -> token.length())
                .build();
    }

    /** The subject of a token; null if it is not to be believed. */
    @Nullable String subject(String token) {
        if (token.length() > TOKEN_MAX) {
            return null;
        }
        long nowSecond = TimeUnit.MICROSECONDS.toSeconds(time.wallMicros());
        int version = keysVersion.getAsInt();
        Verified known = verified.getIfPresent(token);
        if (known != null && known.keysVersion == version && nowSecond < known.expiresSecond) {
            return known.subject;
        }
        Verified found = verify(token, nowSecond, version);
        if (found == null) {
            verified.invalidate(token);
            return null;
        }
        verified.put(token, found);
        return found.subject;
    }

    private @Nullable Verified verify(String token, long nowSecond, int version) {
        JwtConsumerBuilder consumer = new JwtConsumerBuilder()
                .setVerificationKeyResolver(keys)
                .setJwsAlgorithmConstraints(
                        new AlgorithmConstraints(ConstraintType.PERMIT, expected.algorithms.toArray(String[]::new)))
                .setEvaluationTime(NumericDate.fromSeconds(nowSecond))
                .setAllowedClockSkewInSeconds(Math.toIntExact(expected.clockSkew.toSeconds()))
                .setRequireExpirationTime()
                .setRequireSubject();
        expected.issuer.ifPresent(consumer::setExpectedIssuer);
        if (expected.audience.isEmpty()) {
            consumer.setSkipDefaultAudienceValidation();
        } else {
            consumer.setExpectedAudience(expected.audience.toArray(String[]::new));
        }
        try {
            JwtClaims claims = consumer.build().processToClaims(token);
            String subject = claims.getSubject();
            return subject.isEmpty()
                    ? null
                    : new Verified(
                            subject, claims.getExpirationTime().getValue() + expected.clockSkew.toSeconds(), version);
        } catch (InvalidJwtException | MalformedClaimException | RuntimeException refused) {
            // The token is a stranger's: whatever the library trips over in it is the token's fault.
            return null;
        }
    }
}
