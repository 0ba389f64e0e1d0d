package io.meridian.limiter.redis;

import io.meridian.limiter.redis.CounterKey.AlgorithmCode;
import io.meridian.limiter.region.Ports.FloorOffers;
import io.meridian.limiter.region.RegionCounters.Reply;
import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.algorithm.DrainRate;
import io.meridian.model.algorithm.Outcome;
import io.meridian.model.algorithm.Outcome.Standing;
import io.meridian.model.algorithm.Quota;
import io.meridian.model.algorithm.Window;
import io.meridian.model.counter.ChargedCapacity;
import io.meridian.model.counter.CounterReply;
import io.meridian.model.counter.CounterRequest;
import io.meridian.model.counter.GlobalCounter;
import io.meridian.model.counter.GlobalCounter.FloorOffer;
import io.meridian.model.match.Limit;
import io.meridian.model.policy.Policy;
import io.meridian.model.usage.SharingMode;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Requests to the script that counts and its replies, byte by byte: the header of count.lua names each of them. */
final class CounterCodec {
    private CounterCodec() {}

    /** Writer of requests. */
    static final class RequestWriter {
        private static final int REQUEST_BYTES = 58;
        private static final int FLAG = 8;
        private static final int GLOBAL = 16;
        /** A larger cost is refused, refunded or charged like this one: no counter holds as much. */
        private static final long COST_MAX = 1L << 48;
        /** Nine years: a lease is not held longer. */
        private static final long HORIZON_MAX_MICROS = 1L << 48;

        private static final int TAKE = 0;
        private static final int TAKE_AHEAD = 1;
        private static final int PEEK = 2;
        private static final int REFUND = 3;
        private static final int CHARGE = 4;
        private static final int RESET = 5;

        private final FloorOffers floors;
        private final long incarnation;
        private final Buffer packed;

        /** @param incarnation of the region's data, for which floors are offered; 0 if incarnations are not told apart */
        RequestWriter(int asks, FloorOffers floors, long incarnation) {
            this.floors = floors;
            this.incarnation = incarnation;
            this.packed = Buffer.buffer(1 + asks * REQUEST_BYTES).appendByte((byte) 0);
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
            int flags = (more ? FLAG : 0) + (sharing.isGlobal() ? GLOBAL : 0);
            packed.appendByte((byte) (AlgorithmCode.of(algorithm(limit)) + flags));
            if (ask instanceof CounterRequest.Take take) {
                boolean ahead = take.ahead() > 0
                        && take.horizonMicros() > 0
                        && algorithm(limit).leasesAhead();
                int kind = ahead ? TAKE_AHEAD : TAKE;
                write(
                        limit.policy().enforcement().isShadow() ? kind + FLAG : kind,
                        take.cost(),
                        limit,
                        ahead ? Math.min(take.ahead(), COST_MAX) : 0,
                        ahead ? Math.min(take.horizonMicros(), HORIZON_MAX_MICROS) : 0);
            } else if (ask instanceof CounterRequest.Peek peek) {
                write(PEEK, peek.cost(), limit, 0, 0);
            } else if (ask instanceof CounterRequest.Refund back) {
                write(REFUND, back.cost(), limit, Math.max(0, back.takenMicros()), 0);
            } else if (ask instanceof CounterRequest.Charge settle) {
                write(CHARGE, settle.cost(), limit, 0, 0);
            } else {
                write(RESET, 0, limit, 0, 0);
            }
            if (sharing.isGlobal()) {
                writeGlobal(ask, sharing);
            }
        }

        private void writeGlobal(CounterRequest ask, SharingMode sharing) {
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
            boolean offered = sharing == SharingMode.ESCROW && incarnation != 0;
            writeOffer(offered ? floors.offer(limit, incarnation) : FloorOffer.NONE);
            int lengthAt = packed.length();
            LimitText.append(packed.appendUnsignedShort(0), policy.id(), limit.key());
            packed.setUnsignedShort(lengthAt, packed.length() - lengthAt - Short.BYTES);
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

        /** Of a take the cost that was asked for, of a charge when it was taken. */
        private static long askedOrTaken(CounterRequest ask) {
            if (ask instanceof CounterRequest.Charge settle) {
                return Math.max(0, settle.takenMicros());
            }
            return ask instanceof CounterRequest.Take take ? Math.min(take.requested(), COST_MAX) : 0;
        }

        private void write(int kind, long cost, Limit limit, long fourth, long fifth) {
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
                packed.appendLong(terms.window() instanceof Window.Span span ? span.micros() : 0)
                        .appendLong(0)
                        .appendLong(0);
            }
            packed.appendLong(fourth).appendLong(fifth);
        }

        /** An algorithm with windows has no burst, so that a count never needs more bytes than its layout has. */
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

    /** Reader of replies, of the same requests in the same order. */
    static final class ReplyReader {
        private final Buffer packed;
        private final long nowMicros;
        private int at;

        ReplyReader(Buffer packed) {
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
            boolean admitted = packed.getByte(at++) != 0;
            Standing standing = new Standing(ask.limit().quota().capacity(), nextLong(), nextLong());
            long waitMicros = nextLong();
            return new CounterReply(
                    admitted,
                    standing,
                    waitMicros < 0 ? Outcome.NEVER : waitMicros,
                    nextLong(),
                    nextLong(),
                    SharingMode.of(ask.limit().policy()).isGlobal()
                            ? new CounterReply.GlobalUsage(nextLong(), nextLong(), nextLong(), nextLong())
                            : null);
        }

        private long nextLong() {
            long value = packed.getLong(at);
            at += Long.BYTES;
            return value;
        }
    }

    /** Policy and key in requests and accounts: length (1 byte) and policy, length (2) and key. */
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
