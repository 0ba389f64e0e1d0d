package io.meridian.limiter.redis;

import io.meridian.limiter.redis.CounterKey.AlgorithmCode;
import io.meridian.limiter.region.Ports.FloorOffers;
import io.meridian.limiter.region.RegionCounters.Reply;
import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.algorithm.Outcome.Standing;
import io.meridian.model.algorithm.Outcome;
import io.meridian.model.algorithm.Rate;
import io.meridian.model.algorithm.Terms;
import io.meridian.model.algorithm.Window;
import io.meridian.model.lease.Ask;
import io.meridian.model.lease.Told;
import io.meridian.model.match.Limit;
import io.meridian.model.policy.Policy;
import io.meridian.model.share.ChargedCapacity;
import io.meridian.model.share.FloorOffer;
import io.meridian.model.share.SharedTurn;
import io.meridian.model.usage.Sharing;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Requests to the script that counts and its replies, byte by byte: the header of turn.lua names each of them. */
public final class CounterCodec {
    private CounterCodec() {}

    /** Packs asks as turn.lua reads them: its header names every byte. */
    static final class RequestWriter {
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

        private final FloorOffers floors;
        private final long life;
        private final Buffer packed;

        /** @param life of the region's data, for which floors are offered; 0 if lives are not told apart */
        RequestWriter(int asks, FloorOffers floors, long life) {
            this.floors = floors;
            this.life = life;
            this.packed = Buffer.buffer(1 + asks * BYTES_OF_AN_ASK).appendByte((byte) 0);
        }

        Buffer packed(boolean keysMayRepeat) {
            return packed.setByte(0, (byte) (keysMayRepeat ? 1 : 0));
        }

        void write(List<Ask> group) {
            for (int i = 0; i < group.size(); i++) {
                write(group.get(i), i + 1 < group.size());
            }
        }

        private void write(Ask ask, boolean more) {
            Limit limit = ask.limit();
            Sharing sharing = Sharing.of(limit.policy());
            int flags = (more ? FLAG : 0) + (sharing.isGlobal() ? SHARED : 0);
            packed.appendByte((byte) (AlgorithmCode.of(algorithm(limit)) + flags));
            if (ask instanceof Ask.Take take) {
                boolean ahead = take.ahead() > 0
                        && take.horizonMicros() > 0
                        && algorithm(limit).leasesAhead();
                int kind = ahead ? TAKE_AHEAD : TAKE;
                writeHead(limit.policy().enforcement().isShadow() ? kind + FLAG : kind, take.cost(), limit);
                if (ahead) {
                    packed.appendLong(Math.min(take.ahead(), COST_MAX))
                            .appendLong(Math.min(take.horizonMicros(), HORIZON_MAX_MICROS));
                }
            } else if (ask instanceof Ask.Peek peek) {
                writeHead(PEEK, peek.cost(), limit);
            } else if (ask instanceof Ask.GiveBack back) {
                writeHead(GIVE_BACK, back.cost(), limit);
                packed.appendLong(Math.max(0, back.takenMicros()));
            } else if (ask instanceof Ask.Settle settle) {
                writeHead(SETTLE, settle.cost(), limit);
            } else {
                writeHead(RESET, 0, limit);
            }
            if (sharing.isGlobal()) {
                writeShared(ask, sharing);
            }
        }

        private void writeShared(Ask ask, Sharing sharing) {
            Limit limit = ask.limit();
            Policy policy = limit.policy();
            long capacity = limit.terms().capacity();
            boolean own = limit.terms().limit() != policy.counting().limit();
            packed.appendByte((byte) sharing.code())
                    .appendLong(sharing == Sharing.CONVERGE_RATE ? ChargedCapacity.of(limit) : 0)
                    .appendInt((int) Math.min(policy.revision().version(), Integer.MAX_VALUE))
                    .appendLong(limit.terms().window() instanceof Window.Span span ? span.micros() : 0)
                    .appendShort((short) (own ? capacity >>> Integer.SIZE : 0))
                    .appendInt((int) (own ? capacity : 0))
                    .appendLong(overdraft(ask))
                    .appendLong(askedOrTaken(ask));
            if (sharing == Sharing.ESCROW) {
                writeOffer(life == 0 ? FloorOffer.NONE : floors.offer(limit, life));
            }
            LimitText.append(packed, policy.id(), limit.key());
        }

        private void writeOffer(FloorOffer offer) {
            packed.appendShort((short) (offer.units() >>> Integer.SIZE))
                    .appendInt((int) offer.units())
                    .appendLong(offer.fromMicros())
                    .appendLong(offer.untilMicros());
        }

        private static long overdraft(Ask ask) {
            if (ask instanceof Ask.Settle settle) {
                return SharedTurn.countsAll(settle.limit()) ? Ask.Take.LOCAL : 0;
            }
            return ask instanceof Ask.Take take ? take.overdraft() : 0;
        }

        /** Of a take what was asked for, of what is settled when it was taken. */
        private static long askedOrTaken(Ask ask) {
            if (ask instanceof Ask.Settle settle) {
                return Math.max(0, settle.takenMicros());
            }
            return ask instanceof Ask.Take take ? Math.min(take.asked(), COST_MAX) : 0;
        }

        private void writeHead(int kind, long cost, Limit limit) {
            if (cost < 0) {
                throw new IllegalArgumentException("cost must not be negative, got " + cost);
            }
            Terms terms = limit.terms();
            packed.appendByte((byte) kind).appendLong(Math.min(cost, COST_MAX)).appendLong(capacity(limit));
            if (algorithm(limit).isBucket()) {
                Rate rate = terms.drainRate();
                packed.appendLong(rate.unitsPerToken())
                        .appendLong(rate.unitsPerTick())
                        .appendLong(rate.tickMicros());
            } else {
                packed.appendLong(terms.window() instanceof Window.Span span ? span.micros() : 0);
            }
        }

        /** What counts in windows has no burst, so that a count never needs more bytes than its layout has. */
        private static long capacity(Limit limit) {
            long capacity = limit.terms().capacity();
            if (!algorithm(limit).isBucket() && capacity > algorithm(limit).limitMax()) {
                throw new IllegalArgumentException("capacity must be at most %d with %s, got %d"
                        .formatted(algorithm(limit).limitMax(), algorithm(limit).text(), capacity));
            }
            return capacity;
        }

        private static Algorithm algorithm(Limit limit) {
            return limit.policy().counting().algorithm();
        }
    }

    /** Unpacks what turn.lua replies: its header names every byte. */
    static final class ReplyReader {
        private static final int REFUSED = 0;
        private static final int WITH_LEASE = 3;
        private static final int SHARED = 4;

        private final Buffer packed;
        private final long nowMicros;
        private int at;

        ReplyReader(Buffer packed) {
            this.packed = packed;
            this.nowMicros = nextLong();
        }

        Reply read(List<Ask> group) {
            List<Told> told = new ArrayList<>(group.size());
            for (int i = 0; i < group.size(); i++) {
                told.add(told(group.get(i)));
            }
            return new Reply(told, nowMicros);
        }

        private Told told(Ask ask) {
            int flags = packed.getByte(at++);
            int flag = flags % SHARED;
            Standing standing = new Standing(ask.limit().terms().capacity(), nextLong(), nextLong());
            long waitMicros = nextLong();
            boolean lease = flag == WITH_LEASE;
            return new Told(
                    flag != REFUSED,
                    standing,
                    waitMicros < 0 ? Outcome.NEVER : waitMicros,
                    lease ? nextLong() : 0,
                    lease ? nextLong() : 0,
                    flags >= SHARED ? new Told.Shared(nextLong(), nextLong(), nextLong(), nextLong()) : null);
        }

        private long nextLong() {
            long value = packed.getLong(at);
            at += Long.BYTES;
            return value;
        }
    }

    /** Policy and key as scripts take and keep them: length (1 byte) and policy, length (2) and key. */
    record LimitText(String policyId, String key) {
        static void append(Buffer packed, String policyId, String key) {
            byte[] policy = policyId.getBytes(StandardCharsets.UTF_8);
            byte[] text = key.getBytes(StandardCharsets.UTF_8);
            packed.appendUnsignedByte((short) policy.length)
                    .appendBytes(policy)
                    .appendUnsignedShort(text.length)
                    .appendBytes(text);
        }

        static LimitText read(Buffer packed, int from) {
            int policyEnd = from + 1 + packed.getUnsignedByte(from);
            int keyFrom = policyEnd + Short.BYTES;
            return new LimitText(
                    packed.getString(from + 1, policyEnd),
                    packed.getString(keyFrom, keyFrom + packed.getUnsignedShort(policyEnd)));
        }
    }
}
