package io.meridian.limiter.caller;

import io.meridian.model.validation.Validator;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;

/** Public keys in PEM ({@code BEGIN PUBLIC KEY}): RSA of at least 2,048 bits, or EC. */
final class PublicKeys {
    private static final int RSA_BITS_MIN = 2_048;
    private static final String BEGIN = "-----BEGIN PUBLIC KEY-----";
    private static final String END = "-----END PUBLIC KEY-----";

    private PublicKeys() {}

    /**
     * @param shown what an error gives as the value of the setting: not the text, which may be a private key by mistake
     */
    static PublicKey parse(String setting, String shown, String pem) {
        String text = pem.strip();
        if (!text.startsWith(BEGIN) || !text.endsWith(END)) {
            throw Validator.invalid(setting, shown, "must be a public key in PEM, from " + BEGIN + " to " + END);
        }
        byte[] encoded;
        try {
            encoded = Base64.getMimeDecoder().decode(text.substring(BEGIN.length(), text.length() - END.length()));
        } catch (IllegalArgumentException malformed) {
            throw Validator.invalid(setting, shown, "must be a public key in PEM, encoded in Base64");
        }
        PublicKey key = decode(setting, shown, encoded);
        if (key instanceof RSAPublicKey rsa && rsa.getModulus().bitLength() < RSA_BITS_MIN) {
            throw Validator.invalid(setting, shown, "must be an RSA key of at least " + RSA_BITS_MIN + " bits");
        }
        return key;
    }

    private static PublicKey decode(String setting, String shown, byte[] encoded) {
        X509EncodedKeySpec spec = new X509EncodedKeySpec(encoded);
        try {
            return KeyFactory.getInstance("RSA").generatePublic(spec);
        } catch (GeneralSecurityException notRsa) {
            try {
                return KeyFactory.getInstance("EC").generatePublic(spec);
            } catch (GeneralSecurityException notEc) {
                throw Validator.invalid(setting, shown, "must be a public key of RSA or EC");
            }
        }
    }
}
