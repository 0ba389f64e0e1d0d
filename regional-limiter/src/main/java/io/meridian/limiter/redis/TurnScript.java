package io.meridian.limiter.redis;

import io.meridian.limiter.decide.Floors;
import io.meridian.limiter.decide.RegionCounters.Reply;
import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.counter.CounterRequest;
import io.meridian.model.match.Limit;
import io.meridian.model.match.LimitKeys;
import io.meridian.model.policy.Coordination.Scope;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The script that counts: {@link io.meridian.model.counter.RegionalCounter} over many groups in one call. All keys of a call are of one
 * node, in a Redis Cluster of one shard. Knows nothing of connections.
 */
final class TurnScript {
    /** What Lua can be given at once is bounded; so is how long Redis does nothing else. */
    static final int ASKS_MAX = 1_000;

    private static final List<String> PARTS = List.of(
            "call",
            "fixed_window",
            "sliding_window_estimate",
            "bucket",
            "taken_list",
            "sliding_window",
            "book",
            "shared",
            "turn");

    private final Script script;
    private final LimitKeys keys;
    private final Floors floors;

    private TurnScript(Script script, LimitKeys keys, Floors floors) {
        this.script = script;
        this.keys = keys;
        this.floors = floors;
    }

    /** The script for a region that has no floors. */
    static TurnScript load(LimitKeys keys) {
        return load(keys, Floors.NONE);
    }

    static TurnScript load(LimitKeys keys, Floors floors) {
        return new TurnScript(Script.load(PARTS), keys, floors);
    }

    static TurnScript of(String text, LimitKeys keys, Floors floors) {
        return new TurnScript(Script.of(text), keys, floors);
    }

    /** The names of the counters. */
    LimitKeys keys() {
        return keys;
    }

    String text() {
        return script.text();
    }

    /** Makes a Redis know the script: before the first call, and after it answered NOSCRIPT. */
    Request toLoad() {
        return Request.cmd(Command.SCRIPT).arg("LOAD").arg(script.text());
    }

    /** Asks all groups, one after another, each all or nothing. */
    Request toAsk(List<List<CounterRequest>> groups, @Nullable Life life) {
        return toAsk(script.byDigest(), groups, life);
    }

    /** The same for a server that does not know the script, and from then on does. */
    Request toAskWithText(List<List<CounterRequest>> groups, @Nullable Life life) {
        return toAsk(script.byText(), groups, life);
    }

    private Request toAsk(Request request, List<List<CounterRequest>> groups, @Nullable Life life) {
        int asks = 0;
        int named = life == null ? 0 : 1;
        for (int i = 0; i < groups.size(); i++) {
            List<CounterRequest> group = groups.get(i);
            asks += group.size();
            for (int j = 0; j < group.size(); j++) {
                named += hasList(group.get(j)) ? 2 : 1;
            }
        }
        if (asks < 1 || asks > ASKS_MAX) {
            throw new IllegalArgumentException("asks must be from 1 to " + ASKS_MAX + ", got " + asks);
        }
        request.arg(named);
        AskWriter writer = new AskWriter(asks, floors, life == null ? 0 : life.number());
        RepeatedKeys repeated = new RepeatedKeys();
        for (int i = 0; i < groups.size(); i++) {
            List<CounterRequest> group = groups.get(i);
            for (int j = 0; j < group.size(); j++) {
                addKeys(request, group.get(j), repeated, life);
            }
            writer.write(group);
        }
        if (life == null) {
            return request.arg(writer.packed(repeated.possible()));
        }
        return request.arg(Life.key()).arg(writer.packed(repeated.possible())).arg(life.packed());
    }

    /** What was replied to {@link #toAsk} of the same groups, a reply for each. */
    List<Reply> read(Response response, List<List<CounterRequest>> groups) {
        ToldReader reader = new ToldReader(response.toBuffer());
        List<Reply> replies = new ArrayList<>(groups.size());
        for (int i = 0; i < groups.size(); i++) {
            replies.add(reader.read(groups.get(i)));
        }
        return replies;
    }

    private void addKeys(Request request, CounterRequest ask, RepeatedKeys repeated, @Nullable Life life) {
        if (isShared(ask)) {
            Limit limit = ask.limit();
            Life of = life == null ? Life.OF_A_CLUSTER : life;
            request.arg(CounterKey.shared(keys, limit.policy().id(), limit.key(), of));
            return;
        }
        byte[] key = CounterKey.of(keys, ask.limit());
        repeated.add(key);
        request.arg(key);
        if (hasList(ask)) {
            request.arg(CounterKey.listOf(key));
        }
    }

    private static boolean hasList(CounterRequest ask) {
        return ask.limit().policy().limitSpec().algorithm() == Algorithm.SLIDING_WINDOW_LOG && !isShared(ask);
    }

    private static boolean isShared(CounterRequest ask) {
        return ask.limit().policy().coordination().scope() == Scope.GLOBAL;
    }
}
