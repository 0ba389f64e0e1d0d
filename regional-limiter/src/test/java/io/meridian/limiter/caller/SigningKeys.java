package io.meridian.limiter.caller;

import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.spec.ECGenParameterSpec;
import java.util.Base64;
import java.util.Map;
import java.util.function.Consumer;
import org.jose4j.jwa.AlgorithmConstraints;
import org.jose4j.jwk.JsonWebKey.OutputControlLevel;
import org.jose4j.jwk.PublicJsonWebKey;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.jwt.NumericDate;
import org.jose4j.lang.JoseException;

/** Keys of a token issuer, the same for the same seed, and tokens good and bad. */
public final class SigningKeys {
    /** Long ago and far ahead, whatever the clock of a test says. */
    public static final long PAST = 1_000_000_000;

    public static final long FUTURE = 9_000_000_000L;

    private final KeyPair keys;
    private final String id;
    private final String algorithm;

    private SigningKeys(KeyPair keys, String id, String algorithm) {
        this.keys = keys;
        this.id = id;
        this.algorithm = algorithm;
    }

    public static SigningKeys ec(String id, long seed) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"), seeded(seed));
            return new SigningKeys(generator.generateKeyPair(), id, "ES256");
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    static SigningKeys rsa(String id, int bits) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(bits, seeded(bits));
            return new SigningKeys(generator.generateKeyPair(), id, "RS256");
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static SecureRandom seeded(long seed) throws GeneralSecurityException {
        SecureRandom random = SecureRandom.getInstance("SHA1PRNG");
        random.setSeed(seed);
        return random;
    }

    public String pem() {
        return "-----BEGIN PUBLIC KEY-----\n"
                + Base64.getMimeEncoder().encodeToString(keys.getPublic().getEncoded())
                + "\n-----END PUBLIC KEY-----\n";
    }

    PublicKey publicKey() {
        return keys.getPublic();
    }

    String jwk() {
        try {
            PublicJsonWebKey key = PublicJsonWebKey.Factory.newPublicJwk(keys.getPublic());
            key.setKeyId(id);
            return key.toJson(OutputControlLevel.PUBLIC_ONLY);
        } catch (JoseException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    static String jwks(SigningKeys... keys) {
        StringBuilder set = new StringBuilder("{\"keys\": [");
        for (SigningKeys each : keys) {
            set.append(set.charAt(set.length() - 1) == '[' ? "" : ", ").append(each.jwk());
        }
        return set.append("]}").toString();
    }

    /** A good token of a user. */
    public String token(String subject) {
        return token(subject, claims -> {});
    }

    public String token(String subject, Consumer<JwtClaims> change) {
        return signed(claims(subject, change), algorithm, keys.getPrivate(), Map.of());
    }

    /** A token with the given claims, algorithm and header, signed by any key. */
    String signed(String claims, String with, Key key, Map<String, Object> headers) {
        try {
            JsonWebSignature token = new JsonWebSignature();
            token.setAlgorithmConstraints(AlgorithmConstraints.NO_CONSTRAINTS);
            token.setDoKeyValidation(false);
            token.setAlgorithmHeaderValue(with);
            token.setKeyIdHeaderValue(id);
            headers.forEach((name, value) -> token.getHeaders().setObjectHeaderValue(name, value));
            token.setPayload(claims);
            token.setKey(with.equals("none") ? null : key);
            return token.getCompactSerialization();
        } catch (JoseException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    Key privateKey() {
        return keys.getPrivate();
    }

    static String claims(String subject, Consumer<JwtClaims> change) {
        JwtClaims claims = new JwtClaims();
        claims.setSubject(subject);
        claims.setExpirationTime(NumericDate.fromSeconds(FUTURE));
        change.accept(claims);
        return claims.toJson();
    }
}
