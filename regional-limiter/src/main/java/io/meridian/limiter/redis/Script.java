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

/**
 * Lua script of parts under lua/, put together in their order with the values of {@link ScriptConstants}, and its digest, by which it is called at a
 * server that knows it.
 */
record Script(String text, String sha1) {
    static Script load(List<String> parts) {
        StringBuilder text = new StringBuilder();
        parts.forEach(part -> text.append(ScriptConstants.expand(resource("/lua/" + part + ".lua")))
                .append('\n'));
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

    /** Kinds of errors of Redis, or of a script in it, that the caller handles. */
    enum Failure {
        /** The server does not know the script: it is to be called with its text. */
        UNKNOWN_SCRIPT,
        /** The caller named another incarnation than that of the region's data. */
        STALE_INCARNATION,
        /** Another server has the data, or will have: the connection is to be made anew. */
        WRONG_SERVER,
        OTHER;

        /** Word that scripts put first in the error for a caller that names another incarnation. */
        static final String STALE_INCARNATION_CODE = "STALEINCARNATION";

        private static final List<String> WRONG_SERVERS = List.of("READONLY", "LOADING", "MASTERDOWN", "CLUSTERDOWN");

        /**
         * Reads the code, the first word of the message. A script's own code stands behind {@code ERR} from Redis 7 on; an error of a
         * command within a script has the code somewhere within.
         */
        static Failure of(Throwable failure) {
            String message = String.valueOf(failure.getMessage());
            String text = message.startsWith("ERR ") ? message.substring("ERR ".length()) : message;
            if (text.startsWith("NOSCRIPT")) {
                return UNKNOWN_SCRIPT;
            }
            if (text.startsWith(STALE_INCARNATION_CODE)) {
                return STALE_INCARNATION;
            }
            return WRONG_SERVERS.stream().anyMatch(message::contains) ? WRONG_SERVER : OTHER;
        }
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
