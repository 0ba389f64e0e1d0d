package io.meridian.config.access;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpServer;
import io.meridian.model.time.TimeSource;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.util.Arrays;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** An identity provider: a key, and a server that shows its public half. */
final class SigningProvider implements AutoCloseable {
    static final String KEY_ID = "k1";

    private final KeyPair keys;
    private final HttpServer server;

    SigningProvider() throws GeneralSecurityException, IOException {
        keys = newKeys();
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        byte[] answer = jwks((RSAPublicKey) keys.getPublic()).getBytes(StandardCharsets.UTF_8);
        server.createContext("/jwks", exchange -> {
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        server.start();
    }

    static KeyPair newKeys() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2_048);
        return generator.generateKeyPair();
    }

    KeyPair keys() {
        return keys;
    }

    String jwksUrl() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/jwks";
    }

    private static String jwks(RSAPublicKey key) {
        ObjectNode set = JsonNodeFactory.instance.objectNode();
        set.putArray("keys")
                .addObject()
                .put("kty", "RSA")
                .put("use", "sig")
                .put("alg", "RS256")
                .put("kid", KEY_ID)
                .put("n", encoded(key.getModulus()))
                .put("e", encoded(key.getPublicExponent()));
        return set.toString();
    }

    private static String encoded(BigInteger number) {
        byte[] bytes = number.toByteArray();
        int sign = bytes.length > 1 && bytes[0] == 0 ? 1 : 0;
        return encoded(Arrays.copyOfRange(bytes, sign, bytes.length));
    }

    private static String encoded(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** The claims of a good token, to be spoiled. */
    static ObjectNode claims(String issuer, String audience) {
        long now = TimeUnit.MICROSECONDS.toSeconds(TimeSource.system().wallMicros());
        ObjectNode claims = JsonNodeFactory.instance
                .objectNode()
                .put("iss", issuer)
                .put("aud", audience)
                .put("sub", "alice")
                .put("iat", now)
                .put("exp", now + 3_600);
        claims.putArray("roles").add("other").add("editor");
        return claims;
    }

    static String signed(KeyPair by, JsonNode claims) throws GeneralSecurityException {
        String content = content("RS256", claims);
        Signature signature = Signature.getInstance("SHA256withRSA");
        signature.initSign(by.getPrivate());
        signature.update(content.getBytes(StandardCharsets.US_ASCII));
        return content + "." + encoded(signature.sign());
    }

    static String unsigned(JsonNode claims) {
        return content("none", claims) + ".";
    }

    /** Signed with the public key as if it were a shared secret: the confusion of algorithms. */
    String confused(JsonNode claims) throws GeneralSecurityException {
        String content = content("HS256", claims);
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(keys.getPublic().getEncoded(), "HmacSHA256"));
        return content + "." + encoded(mac.doFinal(content.getBytes(StandardCharsets.US_ASCII)));
    }

    private static String content(String algorithm, JsonNode claims) {
        ObjectNode header = JsonNodeFactory.instance
                .objectNode()
                .put("alg", algorithm)
                .put("typ", "JWT")
                .put("kid", KEY_ID);
        return encoded(header.toString().getBytes(StandardCharsets.UTF_8)) + "."
                + encoded(claims.toString().getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
