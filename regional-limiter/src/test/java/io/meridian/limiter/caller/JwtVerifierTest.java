package io.meridian.limiter.caller;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jose4j.jwk.JsonWebKey;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.jwt.NumericDate;
import org.jose4j.keys.HmacKey;
import org.jose4j.keys.resolvers.JwksVerificationKeyResolver;
import org.jose4j.keys.resolvers.VerificationKeyResolver;
import org.jose4j.lang.JoseException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Whose quota a token spends: alice's, if the issuer says so. */
class JwtVerifierTest {
    private static final long NOW = 1_800_000_000;
    private static final SigningKeys EC = SigningKeys.ec("k-ec", 1);
    private static final SigningKeys RSA = SigningKeys.rsa("k-rsa", 2_048);
    private static final SigningKeys STRANGER = SigningKeys.ec("k-ec", 2);
    private static final Duration SKEW = Duration.ofSeconds(30);

    private final SetTime time = new SetTime(NOW);
    private final AtomicInteger verifications = new AtomicInteger();
    private final AtomicInteger keysVersion = new AtomicInteger();
    private final JwtVerifier verifier = verifier(Optional.of("https://id.example"), List.of("meridian", "api"));

    private JwtVerifier verifier(Optional<String> issuer, List<String> audience) {
        JwtVerifier.Expected expected =
                new JwtVerifier.Expected(List.of("RS256", "ES256"), issuer, audience, SKEW, 1 << 20);
        VerificationKeyResolver keys = keys(EC, RSA);
        return new JwtVerifier(
                (token, nesting) -> {
                    verifications.incrementAndGet();
                    return keys.resolveKey(token, nesting);
                },
                keysVersion::get,
                expected,
                time);
    }

    private static VerificationKeyResolver keys(SigningKeys... keys) {
        try {
            List<JsonWebKey> parsed = JwtKeys.parse(SigningKeys.jwks(keys));
            return new JwksVerificationKeyResolver(parsed);
        } catch (JoseException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static void good(JwtClaims claims) {
        claims.setIssuer("https://id.example");
        claims.setAudience("other", "api");
    }

    private static String goodClaims() {
        return SigningKeys.claims("alice", JwtVerifierTest::good);
    }

    @Test
    void a_token_of_the_issuer_names_its_user() {
        assertThat(verifier.subject(EC.token("alice", JwtVerifierTest::good))).isEqualTo("alice");
        assertThat(verifier.subject(RSA.token("alice", JwtVerifierTest::good))).isEqualTo("alice");
        assertThat(verifier(Optional.empty(), List.of()).subject(EC.token("alice")))
                .as("any issuer and audience")
                .isEqualTo("alice");
    }

    @Test
    void a_forged_token_names_nobody() {
        Map<String, String> forged = new LinkedHashMap<>();
        String claims = goodClaims();
        byte[] rsaPublic = RSA.publicKey().getEncoded();
        forged.put("alg none", EC.signed(claims, "none", EC.privateKey(), Map.of()));
        forged.put("HS256 with the public key", RSA.signed(claims, "HS256", new HmacKey(rsaPublic), Map.of()));
        forged.put(
                "HS256 with the public key's PEM",
                RSA.signed(claims, "HS256", new HmacKey(RSA.pem().getBytes(StandardCharsets.UTF_8)), Map.of()));
        forged.put("another key under the issuer's id", STRANGER.token("alice", JwtVerifierTest::good));
        forged.put(
                "a key of its own in the header",
                STRANGER.signed(
                        claims, "ES256", STRANGER.privateKey(), Map.of("jwk", Map.of("kty", "EC", "crv", "P-256"))));
        forged.put("RS512, which is not accepted", RSA.signed(claims, "RS512", RSA.privateKey(), Map.of()));
        forged.put("the other key's algorithm", EC.signed(claims, "ES256", EC.privateKey(), Map.of("kid", "k-rsa")));
        forged.put("an unknown key", SigningKeys.ec("k-new", 3).token("alice", JwtVerifierTest::good));
        forged.put(
                "a critical header nobody knows",
                EC.signed(claims, "ES256", EC.privateKey(), Map.of("crit", List.of("x"), "x", "1")));
        String good = EC.token("alice", JwtVerifierTest::good);
        String[] parts = good.split("\\.", -1);
        forged.put(
                "other claims under a good signature",
                parts[0] + "." + encoded("{\"sub\":\"bob\",\"exp\":9000000000}") + "." + parts[2]);
        forged.put("no signature", parts[0] + "." + parts[1] + ".");
        forged.put(
                "a signature of zeros",
                parts[0] + "." + parts[1] + "."
                        + Base64.getUrlEncoder().withoutPadding().encodeToString(new byte[64]));
        forged.put("not a token", "ey.e30.x");
        forged.put("a deep header", encoded("{\"alg\":" + "[".repeat(3_000)) + "." + parts[1] + "." + parts[2]);
        forged.put("deep claims", parts[0] + "." + encoded("{\"a\":" + "{\"a\":".repeat(800)) + "." + parts[2]);
        forged.put("a header of the wrong type", encoded("{\"alg\":7,\"kid\":[1]}") + "." + parts[1] + "." + parts[2]);
        forged.put("too long", good + "x".repeat(JwtVerifier.TOKEN_MAX));

        forged.forEach((attack, token) ->
                assertThat(verifier.subject(token)).as(attack).isNull());
        assertThat(verifier.subject(good)).isEqualTo("alice");
    }

    private static String encoded(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void a_token_out_of_its_time_or_for_somebody_else_names_nobody() {
        assertThat(subject(claims -> claims.setExpirationTime(NumericDate.fromSeconds(NOW - 31))))
                .isNull();
        assertThat(subject(claims -> claims.setExpirationTime(NumericDate.fromSeconds(NOW - 29))))
                .isEqualTo("alice");
        assertThat(subject(claims -> claims.unsetClaim("exp"))).as("for ever").isNull();
        assertThat(subject(claims -> claims.setNotBefore(NumericDate.fromSeconds(NOW + 31))))
                .isNull();
        assertThat(subject(claims -> claims.setNotBefore(NumericDate.fromSeconds(NOW + 29))))
                .isEqualTo("alice");
        assertThat(subject(claims -> claims.setIssuer("https://elsewhere.example")))
                .isNull();
        assertThat(subject(claims -> claims.unsetClaim("iss"))).isNull();
        assertThat(subject(claims -> claims.setAudience("other"))).isNull();
        assertThat(subject(claims -> claims.unsetClaim("aud"))).isNull();
        assertThat(subject(claims -> claims.unsetClaim("sub"))).isNull();
        assertThat(subject(claims -> claims.setSubject(""))).isNull();
        assertThat(subject(claims -> claims.setClaim("sub", 7))).isNull();
    }

    private @Nullable String subject(Consumer<JwtClaims> change) {
        return verifier.subject(EC.token("alice", claims -> {
            good(claims);
            change.accept(claims);
        }));
    }

    @Test
    void a_verified_token_is_verified_once_until_it_expires_or_the_keys_change() {
        String token = EC.token("alice", claims -> {
            good(claims);
            claims.setExpirationTime(NumericDate.fromSeconds(NOW + 60));
        });
        for (int i = 0; i < 5; i++) {
            assertThat(verifier.subject(token)).isEqualTo("alice");
        }
        assertThat(verifications).hasValue(1);

        keysVersion.incrementAndGet();
        assertThat(verifier.subject(token)).isEqualTo("alice");
        assertThat(verifications).hasValue(2);

        time.set(NOW + 60 + SKEW.toSeconds());
        assertThat(verifier.subject(token)).isNull();
    }
}
