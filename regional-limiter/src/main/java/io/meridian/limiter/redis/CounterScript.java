package io.meridian.limiter.redis;

import io.meridian.limiter.redis.CounterCodec.ReplyReader;
import io.meridian.limiter.redis.CounterCodec.RequestWriter;
import io.meridian.limiter.redis.RedisIncarnations.StoredIncarnation;
import io.meridian.limiter.region.Ports.FloorOffers;
import io.meridian.limiter.region.RegionCounters.Reply;
import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.lease.Ask;
import io.meridian.model.match.Limit;
import io.meridian.model.match.LimitKeys;
import io.meridian.model.policy.Scope;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The script that counts: {@link io.meridian.model.lease.Turn} over many groups in one call. All keys of a call are of one
 * node, in a Redis Cluster of one shard. Knows nothing of connections.
 */
final class CounterScript {
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
    private final FloorOffers floors;

    private CounterScript(Script script, LimitKeys keys, FloorOffers floors) {
        this.script = script;
        this.keys = keys;
        this.floors = floors;
    }

    /** The script for a region that has no floors. */
    static CounterScript load(LimitKeys keys) {
        return load(keys, FloorOffers.NONE);
    }

    static CounterScript load(LimitKeys keys, FloorOffers floors) {
        return new CounterScript(Script.load(PARTS), keys, floors);
    }

    static CounterScript of(String text, LimitKeys keys, FloorOffers floors) {
        return new CounterScript(Script.of(text), keys, floors);
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
    Request toAsk(List<List<Ask>> groups, @Nullable StoredIncarnation life) {
        return toAsk(script.byDigest(), groups, life);
    }

    /** The same for a server that does not know the script, and from then on does. */
    Request toAskWithText(List<List<Ask>> groups, @Nullable StoredIncarnation life) {
        return toAsk(script.byText(), groups, life);
    }

    private Request toAsk(Request request, List<List<Ask>> groups, @Nullable StoredIncarnation life) {
        int asks = 0;
        int named = life == null ? 0 : 1;
        for (int i = 0; i < groups.size(); i++) {
            List<Ask> group = groups.get(i);
            asks += group.size();
            for (int j = 0; j < group.size(); j++) {
                named += hasList(group.get(j)) ? 2 : 1;
            }
        }
        if (asks < 1 || asks > ASKS_MAX) {
            throw new IllegalArgumentException("asks must be from 1 to " + ASKS_MAX + ", got " + asks);
        }
        request.arg(named);
        RequestWriter writer = new RequestWriter(asks, floors, life == null ? 0 : life.number());
        RepeatedKeys repeated = new RepeatedKeys();
        for (int i = 0; i < groups.size(); i++) {
            List<Ask> group = groups.get(i);
            for (int j = 0; j < group.size(); j++) {
                addKeys(request, group.get(j), repeated, life);
            }
            writer.write(group);
        }
        if (life == null) {
            return request.arg(writer.packed(repeated.possible()));
        }
        return request.arg(StoredIncarnation.key()).arg(writer.packed(repeated.possible())).arg(life.packed());
    }

    /** What was replied to {@link #toAsk} of the same groups, a reply for each. */
    List<Reply> read(Response response, List<List<Ask>> groups) {
        ReplyReader reader = new ReplyReader(response.toBuffer());
        List<Reply> replies = new ArrayList<>(groups.size());
        for (int i = 0; i < groups.size(); i++) {
            replies.add(reader.read(groups.get(i)));
        }
        return replies;
    }

    private void addKeys(Request request, Ask ask, RepeatedKeys repeated, @Nullable StoredIncarnation life) {
        if (isShared(ask)) {
            Limit limit = ask.limit();
            StoredIncarnation of = life == null ? StoredIncarnation.OF_A_CLUSTER : life;
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

    private static boolean hasList(Ask ask) {
        return ask.limit().policy().counting().algorithm() == Algorithm.SLIDING_WINDOW_LOG && !isShared(ask);
    }

    private static boolean isShared(Ask ask) {
        return ask.limit().policy().coordination().scope() == Scope.GLOBAL;
    }

    /**
     * Whether a key may come twice among those of a call, so that what the script read at its start may be old. Remembers a few
     * bits of each key: it may say yes where the answer is no, which costs the script a little time, and never the reverse.
     */
    static final class RepeatedKeys {
        private static final int BITS = 4_096;

        private final long[] seen = new long[BITS / Long.SIZE];
        private boolean possible;

        void add(byte[] key) {
            int last = key.length - 1;
            int bit = (((key[last] & 0xff) << 8) | (key[last - 1] & 0xff)) % BITS;
            long mask = 1L << (bit % Long.SIZE);
            possible |= (seen[bit / Long.SIZE] & mask) != 0;
            seen[bit / Long.SIZE] |= mask;
        }

        boolean possible() {
            return possible;
        }
    }
}
