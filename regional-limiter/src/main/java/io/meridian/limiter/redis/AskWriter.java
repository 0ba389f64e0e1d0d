package io.meridian.limiter.redis;

import io.meridian.limiter.decide.Floors;
import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.algorithm.DrainRate;
import io.meridian.model.algorithm.Quota;
import io.meridian.model.algorithm.Window;
import io.meridian.model.counter.ChargedCapacity;
import io.meridian.model.counter.CounterRequest;
import io.meridian.model.counter.GlobalCounter.FloorOffer;
import io.meridian.model.counter.GlobalCounter;
import io.meridian.model.match.Limit;
import io.meridian.model.policy.Policy;
import io.meridian.model.usage.SharingMode;
import io.vertx.core.buffer.Buffer;
import java.util.List;

/** Packs asks as turn.lua reads them: its header names every byte. */
final class AskWriter {
    private static final int BYTES_OF_AN_ASK = 58;
    private static final int FLAG = 8;
    private static final int SHARED = 16;
    /** A cost beyond this one is refused, given back or settled like this one: no counter holds as much. */
    private static final long COST_MAX = 1L << 48;
    /** Nine years: a lease is not held longer. */
    private static final long HORIZON_MAX_MICROS = 1L << 48;

    private static final int TAKE = 0;
    private static final int TAKE_AHEAD = 1;
    private static final int PEEK = 2;
    private static final int GIVE_BACK = 3;
    private static final int SETTLE = 4;
    private static final int RESET = 5;

    private final Floors floors;
    private final long life;
    private final Buffer packed;

    /** @param life of the region's data, for which floors are offered; 0 if lives are not told apart */
    AskWriter(int asks, Floors floors, long life) {
        this.floors = floors;
        this.life = life;
        this.packed = Buffer.buffer(1 + asks * BYTES_OF_AN_ASK).appendByte((byte) 0);
    }

    Buffer packed(boolean keysMayRepeat) {
        return packed.setByte(0, (byte) (keysMayRepeat ? 1 : 0));
    }

    void write(List<CounterRequest> group) {
        for (int i = 0; i < group.size(); i++) {
            write(group.get(i), i + 1 < group.size());
        }
    }

    private void write(CounterRequest ask, boolean more) {
        Limit limit = ask.limit();
        SharingMode sharing = SharingMode.of(limit.policy());
        int flags = (more ? FLAG : 0) + (sharing.isGlobal() ? SHARED : 0);
        packed.appendByte((byte) (AlgorithmCode.of(algorithm(limit)) + flags));
        if (ask instanceof CounterRequest.Take take) {
            boolean ahead = take.ahead() > 0
                    && take.horizonMicros() > 0
                    && algorithm(limit).leasesAhead();
            int kind = ahead ? TAKE_AHEAD : TAKE;
            writeHead(limit.policy().enforcement().isShadow() ? kind + FLAG : kind, take.cost(), limit);
            if (ahead) {
                packed.appendLong(Math.min(take.ahead(), COST_MAX))
                        .appendLong(Math.min(take.horizonMicros(), HORIZON_MAX_MICROS));
            }
        } else if (ask instanceof CounterRequest.Peek peek) {
            writeHead(PEEK, peek.cost(), limit);
        } else if (ask instanceof CounterRequest.Refund back) {
            writeHead(GIVE_BACK, back.cost(), limit);
            packed.appendLong(Math.max(0, back.takenMicros()));
        } else if (ask instanceof CounterRequest.Charge settle) {
            writeHead(SETTLE, settle.cost(), limit);
        } else {
            writeHead(RESET, 0, limit);
        }
        if (sharing.isGlobal()) {
            writeShared(ask, sharing);
        }
    }

    private void writeShared(CounterRequest ask, SharingMode sharing) {
        Limit limit = ask.limit();
        Policy policy = limit.policy();
        long capacity = limit.quota().capacity();
        boolean own = limit.quota().limit() != policy.limitSpec().limit();
        packed.appendByte((byte) sharing.code())
                .appendLong(sharing == SharingMode.CONVERGE_RATE ? ChargedCapacity.of(limit) : 0)
                .appendInt((int) Math.min(policy.revision().version(), Integer.MAX_VALUE))
                .appendLong(limit.quota().window() instanceof Window.Span span ? span.micros() : 0)
                .appendShort((short) (own ? capacity >>> Integer.SIZE : 0))
                .appendInt((int) (own ? capacity : 0))
                .appendLong(overdraft(ask))
                .appendLong(askedOrTaken(ask));
        if (sharing == SharingMode.ESCROW) {
            writeOffer(life == 0 ? FloorOffer.NONE : floors.offer(limit, life));
        }
        SharedText.append(packed, policy.id(), limit.key());
    }

    private void writeOffer(FloorOffer offer) {
        packed.appendShort((short) (offer.units() >>> Integer.SIZE))
                .appendInt((int) offer.units())
                .appendLong(offer.fromMicros())
                .appendLong(offer.untilMicros());
    }

    private static long overdraft(CounterRequest ask) {
        if (ask instanceof CounterRequest.Charge settle) {
            return GlobalCounter.countsAll(settle.limit()) ? CounterRequest.Take.LOCAL : 0;
        }
        return ask instanceof CounterRequest.Take take ? take.overdraft() : 0;
    }

    /** Of a take what was asked for, of what is settled when it was taken. */
    private static long askedOrTaken(CounterRequest ask) {
        if (ask instanceof CounterRequest.Charge settle) {
            return Math.max(0, settle.takenMicros());
        }
        return ask instanceof CounterRequest.Take take ? Math.min(take.requested(), COST_MAX) : 0;
    }

    private void writeHead(int kind, long cost, Limit limit) {
        if (cost < 0) {
            throw new IllegalArgumentException("cost must not be negative, got " + cost);
        }
        Quota terms = limit.quota();
        packed.appendByte((byte) kind).appendLong(Math.min(cost, COST_MAX)).appendLong(capacity(limit));
        if (algorithm(limit).isBucket()) {
            DrainRate rate = terms.drainRate();
            packed.appendLong(rate.unitsPerToken())
                    .appendLong(rate.unitsPerTick())
                    .appendLong(rate.tickMicros());
        } else {
            packed.appendLong(terms.window() instanceof Window.Span span ? span.micros() : 0);
        }
    }

    /** What counts in windows has no burst, so that a count never needs more bytes than its layout has. */
    private static long capacity(Limit limit) {
        long capacity = limit.quota().capacity();
        if (!algorithm(limit).isBucket() && capacity > algorithm(limit).limitMax()) {
            throw new IllegalArgumentException("capacity must be at most %d with %s, got %d"
                    .formatted(algorithm(limit).limitMax(), algorithm(limit).text(), capacity));
        }
        return capacity;
    }

    private static Algorithm algorithm(Limit limit) {
        return limit.policy().limitSpec().algorithm();
    }
}
