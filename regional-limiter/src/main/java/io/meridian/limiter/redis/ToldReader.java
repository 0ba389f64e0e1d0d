package io.meridian.limiter.redis;

import io.meridian.limiter.decide.RegionCounters.Reply;
import io.meridian.model.algorithm.Outcome.Standing;
import io.meridian.model.algorithm.Outcome;
import io.meridian.model.counter.CounterReply;
import io.meridian.model.counter.CounterRequest;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;

/** Unpacks what turn.lua replies: its header names every byte. */
final class ToldReader {
    private static final int REFUSED = 0;
    private static final int WITH_LEASE = 3;
    private static final int SHARED = 4;

    private final Buffer packed;
    private final long nowMicros;
    private int at;

    ToldReader(Buffer packed) {
        this.packed = packed;
        this.nowMicros = nextLong();
    }

    Reply read(List<CounterRequest> group) {
        List<CounterReply> told = new ArrayList<>(group.size());
        for (int i = 0; i < group.size(); i++) {
            told.add(told(group.get(i)));
        }
        return new Reply(told, nowMicros);
    }

    private CounterReply told(CounterRequest ask) {
        int flags = packed.getByte(at++);
        int flag = flags % SHARED;
        Standing standing = new Standing(ask.limit().quota().capacity(), nextLong(), nextLong());
        long waitMicros = nextLong();
        boolean lease = flag == WITH_LEASE;
        return new CounterReply(
                flag != REFUSED,
                standing,
                waitMicros < 0 ? Outcome.NEVER : waitMicros,
                lease ? nextLong() : 0,
                lease ? nextLong() : 0,
                flags >= SHARED ? new CounterReply.GlobalUsage(nextLong(), nextLong(), nextLong(), nextLong()) : null);
    }

    private long nextLong() {
        long value = packed.getLong(at);
        at += Long.BYTES;
        return value;
    }
}
