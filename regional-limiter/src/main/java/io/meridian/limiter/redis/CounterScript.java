package io.meridian.limiter.redis;

import io.meridian.limiter.redis.CounterCodec.ReplyReader;
import io.meridian.limiter.redis.CounterCodec.RequestWriter;
import io.meridian.limiter.redis.RedisIncarnations.StoredIncarnation;
import io.meridian.limiter.region.Ports.FloorOffers;
import io.meridian.limiter.region.RegionCounters.Reply;
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
 * Script that counts: {@link io.meridian.model.counter.RegionalCounter} over many groups in one call. All keys of a call are of one node, in a
 * Redis Cluster of one shard. Knows nothing of connections.
 */
final class CounterScript {
    /** Requests of one call at most: Lua takes so many keys at once, and Redis does nothing else meanwhile. */
    static final int ASKS_MAX = 1_000;

    private static final List<String> PARTS = List.of(
            "lib/call",
            "algorithm/fixed_window",
            "algorithm/sliding_window_estimate",
            "algorithm/bucket",
            "algorithm/sliding_log_list",
            "algorithm/sliding_window",
            "lib/account",
            "algorithm/global",
            "count");

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

    /** Makes a Redis know the script without calling it. */
    Request toLoad() {
        return Request.cmd(Command.SCRIPT).arg("LOAD").arg(script.text());
    }

    /** The script itself. */
    Script script() {
        return script;
    }

    /** Adds the keys and arguments of a call for all groups, one after another, each all or nothing, to a request that names the script. */
    Request arguments(Request request, List<List<CounterRequest>> groups, @Nullable StoredIncarnation incarnation) {
        int asks = 0;
        int named = incarnation == null ? 0 : 1;
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
        RequestWriter writer = new RequestWriter(asks, floors, incarnation == null ? 0 : incarnation.number());
        RepeatedKeys repeated = new RepeatedKeys();
        for (int i = 0; i < groups.size(); i++) {
            List<CounterRequest> group = groups.get(i);
            for (int j = 0; j < group.size(); j++) {
                addKeys(request, group.get(j), repeated, incarnation);
            }
            writer.write(group);
        }
        if (incarnation == null) {
            return request.arg(writer.packed(repeated.possible()));
        }
        return request.arg(StoredIncarnation.key())
                .arg(writer.packed(repeated.possible()))
                .arg(incarnation.packed());
    }

    /** The replies to {@link #arguments} of the same groups, one for each. */
    List<Reply> read(Response response, List<List<CounterRequest>> groups) {
        ReplyReader reader = new ReplyReader(response.toBuffer());
        List<Reply> replies = new ArrayList<>(groups.size());
        for (int i = 0; i < groups.size(); i++) {
            replies.add(reader.read(groups.get(i)));
        }
        return replies;
    }

    private void addKeys(
            Request request, CounterRequest ask, RepeatedKeys repeated, @Nullable StoredIncarnation incarnation) {
        if (isShared(ask)) {
            Limit limit = ask.limit();
            StoredIncarnation of = incarnation == null ? StoredIncarnation.OF_A_CLUSTER : incarnation;
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

    /**
     * Test for a key that may come twice among those of a call, so that what the script read at its start may be old. Remembers a
     * few bits of each key: it may say yes where the answer is no, which costs the script a little time, and never the reverse.
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
