package io.meridian.limiter.redis;

import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** A script of parts under lua/, put together in their order, and its digest, by which a server that knows it is asked. */
record Script(String text, String sha1) {
    static Script load(List<String> parts) {
        StringBuilder text = new StringBuilder();
        parts.forEach(part -> text.append(resource("/lua/" + part + ".lua")).append('\n'));
        return of(text.toString());
    }

    static Script of(String text) {
        return new Script(text, digest(text));
    }

    Request byDigest() {
        return Request.cmd(Command.EVALSHA).arg(sha1);
    }

    /** For a server that does not know it, and from then on does. */
    Request byText() {
        return Request.cmd(Command.EVAL).arg(text);
    }

    private static String resource(String name) {
        try (InputStream in = Script.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is not on the classpath");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(name, e);
        }
    }

    private static String digest(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-1", e);
        }
    }
}
