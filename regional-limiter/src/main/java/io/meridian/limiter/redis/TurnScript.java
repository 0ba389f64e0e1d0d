package io.meridian.limiter.redis;

import io.meridian.limiter.decide.RegionCounters.Reply;
import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.lease.Ask;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * The script that counts: {@link io.meridian.model.lease.Turn} over many groups in one call. All keys of a call are of one
 * node, in a Redis Cluster of one shard. Knows nothing of connections.
 */
final class TurnScript {
    /** What Lua can be given at once is bounded; so is how long Redis does nothing else. */
    static final int ASKS_MAX = 1_000;

    private static final List<String> PARTS = List.of(
            "call", "fixed_window", "sliding_window_estimate", "bucket", "taken_list", "sliding_window", "turn");

    private final String text;
    private final String sha1;

    private TurnScript(String text) {
        this.text = text;
        this.sha1 = sha1(text);
    }

    static TurnScript load() {
        StringBuilder text = new StringBuilder();
        PARTS.forEach(part -> text.append(resource("/lua/" + part + ".lua")).append('\n'));
        return of(text.toString());
    }

    static TurnScript of(String text) {
        return new TurnScript(text);
    }

    String text() {
        return text;
    }

    /** Makes a Redis know the script: before the first call, and after it answered NOSCRIPT. */
    Request toLoad() {
        return Request.cmd(Command.SCRIPT).arg("LOAD").arg(text);
    }

    /** Asks all groups, one after another, each all or nothing. */
    Request toAsk(List<List<Ask>> groups) {
        return toAsk(Request.cmd(Command.EVALSHA).arg(sha1), groups);
    }

    /** The same for a server that does not know the script, and from then on does. */
    Request toAskWithText(List<List<Ask>> groups) {
        return toAsk(Request.cmd(Command.EVAL).arg(text), groups);
    }

    private static Request toAsk(Request request, List<List<Ask>> groups) {
        int asks = 0;
        int keys = 0;
        for (int i = 0; i < groups.size(); i++) {
            List<Ask> group = groups.get(i);
            asks += group.size();
            for (int j = 0; j < group.size(); j++) {
                keys += isLog(group.get(j)) ? 2 : 1;
            }
        }
        if (asks < 1 || asks > ASKS_MAX) {
            throw new IllegalArgumentException("asks must be from 1 to " + ASKS_MAX + ", got " + asks);
        }
        request.arg(keys);
        AskWriter writer = new AskWriter(asks);
        RepeatedKeys repeated = new RepeatedKeys();
        for (int i = 0; i < groups.size(); i++) {
            List<Ask> group = groups.get(i);
            for (int j = 0; j < group.size(); j++) {
                addKeys(request, group.get(j), repeated);
            }
            writer.write(group);
        }
        return request.arg(writer.packed(repeated.possible()));
    }

    /** What was replied to {@link #toAsk} of the same groups, a reply for each. */
    List<Reply> read(Response response, List<List<Ask>> groups) {
        ToldReader reader = new ToldReader(response.toBuffer());
        List<Reply> replies = new ArrayList<>(groups.size());
        for (int i = 0; i < groups.size(); i++) {
            replies.add(reader.read(groups.get(i)));
        }
        return replies;
    }

    private static void addKeys(Request request, Ask ask, RepeatedKeys repeated) {
        byte[] key = CounterKey.of(ask.limit());
        repeated.add(key);
        request.arg(key);
        if (isLog(ask)) {
            request.arg(CounterKey.listOf(key));
        }
    }

    private static boolean isLog(Ask ask) {
        return ask.limit().policy().counting().algorithm() == Algorithm.SLIDING_WINDOW_LOG;
    }

    private static String resource(String name) {
        try (InputStream in = TurnScript.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is not on the classpath");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(name, e);
        }
    }

    private static String sha1(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-1", e);
        }
    }
}
