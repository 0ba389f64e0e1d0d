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
import java.util.stream.Stream;

/** Requests to the script that counts and its replies, byte by byte: the header of count.lua names each of them. */
final class CounterCodec {
    private CounterCodec() {}

    /** In the first byte of a request: another request of the same group follows. */
    static final int CONTINUES = 8;
    /** In the first byte of a request: the limit is global, so that fields of {@link SharedRequestField} follow. */
    static final int GLOBAL = 16;
    /** In the second byte of a request: its limit refuses nobody. */
    static final int SHADOW = 8;
    /** The wait in a reply for what no waiting will admit. */
    static final long NEVER = -1;

    /** Kinds of requests. The scripts compare their codes: takes come first, then the peek. */
    enum RequestKind {
        TAKE(0),
        TAKE_AHEAD(1),
        PEEK(2),
        REFUND(3),
        CHARGE(4),
        RESET(5);

        private final int code;

        RequestKind(int code) {
            this.code = code;
        }

        int code() {
            return code;
        }
    }

    /** Fields of every request. The last five depend on its kind and algorithm: the header of count.lua names them. */
    enum RequestField implements PackedField {
        ALGORITHM(Width.U8),
        KIND(Width.U8),
        COST(Width.U64),
        CAPACITY(Width.U64),
        FIRST(Width.U64),
        SECOND(Width.U64),
        THIRD(Width.U64),
        FOURTH(Width.U64),
        FIFTH(Width.U64);

        private final Width width;

        RequestField(Width width) {
            this.width = width;
        }

        @Override
        public Width width() {
            return width;
        }
    }

    /** Further fields of a request on a global limit, before its policy and key. */
    enum SharedRequestField implements PackedField {
        SHARING(Width.U8),
        CHARGED_MAX(Width.U64),
        VERSION(Width.U32),
        PERIOD(Width.U64),
        OWN_LIMIT(Width.U48),
        OVERDRAFT(Width.S64),
        REQUESTED(Width.U64),
        FLOOR(Width.U48),
        FLOOR_FROM(Width.U64),
        FLOOR_BEFORE(Width.U64),
        TEXT_BYTES(Width.U16);

        private final Width width;

        SharedRequestField(Width width) {
            this.width = width;
        }

        @Override
        public Width width() {
            return width;
        }
    }

    /** Fields of every reply. */
    enum ReplyField implements PackedField {
        ADMITTED(Width.U8),
        REMAINING(Width.U64),
        RESET(Width.U64),
        WAIT(Width.S64),
        AHEAD(Width.U64),
        UNTIL(Width.U64);

        private final Width width;

        ReplyField(Width width) {
            this.width = width;
        }

        @Override
        public Width width() {
            return width;
        }
    }

    /** Further fields of a reply on a global limit. */
    enum SharedReplyField implements PackedField {
        TAKEN,
        RETURNED,
        USED_ELSEWHERE,
        GRANT_AVAILABLE;

        @Override
        public Width width() {
            return Width.U64;
        }
    }

    /** The whole reply on a global limit. */
    static PackedField[] sharedReply() {
        return Stream.<PackedField>concat(Stream.of(ReplyField.values()), Stream.of(SharedReplyField.values()))
                .toArray(PackedField[]::new);
    }

    /** Writer of requests. */
    static final class RequestWriter {
        private static final int REQUEST_BYTES = PackedField.bytes(RequestField.values());
        /** A larger cost is refused, refunded or charged like this one: no counter holds as much. */
        private static final long COST_MAX = 1L << 48;
        /** Nine years: a lease is not held longer. */
        private static final long HORIZON_MAX_MICROS = 1L << 48;

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
            int flags = (more ? CONTINUES : 0) + (sharing.isGlobal() ? GLOBAL : 0);
            RequestField.ALGORITHM.append(packed, AlgorithmCode.of(algorithm(limit)) + flags);
            if (ask instanceof CounterRequest.Take take) {
                boolean ahead = take.ahead() > 0
                        && take.horizonMicros() > 0
                        && algorithm(limit).leasesAhead();
                write(
                        ahead ? RequestKind.TAKE_AHEAD : RequestKind.TAKE,
                        limit.policy().enforcement().isShadow() ? SHADOW : 0,
                        take.cost(),
                        limit,
                        ahead ? Math.min(take.ahead(), COST_MAX) : 0,
                        ahead ? Math.min(take.horizonMicros(), HORIZON_MAX_MICROS) : 0);
            } else if (ask instanceof CounterRequest.Peek peek) {
                write(RequestKind.PEEK, 0, peek.cost(), limit, 0, 0);
            } else if (ask instanceof CounterRequest.Refund back) {
                write(RequestKind.REFUND, 0, back.cost(), limit, Math.max(0, back.takenMicros()), 0);
            } else if (ask instanceof CounterRequest.Charge settle) {
                write(RequestKind.CHARGE, 0, settle.cost(), limit, 0, 0);
            } else {
                write(RequestKind.RESET, 0, 0, limit, 0, 0);
            }
            if (sharing.isGlobal()) {
                writeGlobal(ask, sharing);
            }
        }

        private void writeGlobal(CounterRequest ask, SharingMode sharing) {
            Limit limit = ask.limit();
            Policy policy = limit.policy();
            boolean own = limit.quota().limit() != policy.limitSpec().limit();
            SharedRequestField.SHARING.append(packed, sharing.code());
            SharedRequestField.CHARGED_MAX.append(
                    packed, sharing == SharingMode.CONVERGE_RATE ? ChargedCapacity.of(limit) : 0);
            SharedRequestField.VERSION.append(packed, Math.min(policy.revision().version(), Integer.MAX_VALUE));
            SharedRequestField.PERIOD.append(
                    packed, limit.quota().window() instanceof Window.Span span ? span.micros() : 0);
            SharedRequestField.OWN_LIMIT.append(packed, own ? limit.quota().capacity() : 0);
            SharedRequestField.OVERDRAFT.append(packed, overdraft(ask));
            SharedRequestField.REQUESTED.append(packed, askedOrTaken(ask));
            boolean offered = sharing == SharingMode.ESCROW && incarnation != 0;
            FloorOffer offer = offered ? floors.offer(limit, incarnation) : FloorOffer.NONE;
            SharedRequestField.FLOOR.append(packed, offer.units());
            SharedRequestField.FLOOR_FROM.append(packed, offer.fromMicros());
            SharedRequestField.FLOOR_BEFORE.append(packed, offer.untilMicros());
            int lengthAt = packed.length();
            SharedRequestField.TEXT_BYTES.append(packed, 0);
            int from = packed.length();
            LimitText.append(packed, policy.id(), limit.key());
            packed.setUnsignedShort(lengthAt, packed.length() - from);
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

        private void write(RequestKind kind, int flags, long cost, Limit limit, long fourth, long fifth) {
            if (cost < 0) {
                throw new IllegalArgumentException("cost must not be negative, got " + cost);
            }
            Quota terms = limit.quota();
            RequestField.KIND.append(packed, kind.code() + flags);
            RequestField.COST.append(packed, Math.min(cost, COST_MAX));
            RequestField.CAPACITY.append(packed, capacity(limit));
            if (algorithm(limit).isBucket()) {
                DrainRate rate = terms.drainRate();
                RequestField.FIRST.append(packed, rate.unitsPerToken());
                RequestField.SECOND.append(packed, rate.unitsPerTick());
                RequestField.THIRD.append(packed, rate.tickMicros());
            } else {
                RequestField.FIRST.append(packed, terms.window() instanceof Window.Span span ? span.micros() : 0);
                RequestField.SECOND.append(packed, 0);
                RequestField.THIRD.append(packed, 0);
            }
            RequestField.FOURTH.append(packed, fourth);
            RequestField.FIFTH.append(packed, fifth);
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
        private final PackedField.Cursor packed;
        private final long nowMicros;

        ReplyReader(Buffer reply) {
            this.nowMicros = reply.getLong(0);
            this.packed = new PackedField.Cursor(reply, Long.BYTES);
        }

        Reply read(List<CounterRequest> group) {
            List<CounterReply> told = new ArrayList<>(group.size());
            for (int i = 0; i < group.size(); i++) {
                told.add(told(group.get(i)));
            }
            return new Reply(told, nowMicros);
        }

        private CounterReply told(CounterRequest ask) {
            boolean admitted = packed.next(ReplyField.ADMITTED) != 0;
            Standing standing = new Standing(
                    ask.limit().quota().capacity(), packed.next(ReplyField.REMAINING), packed.next(ReplyField.RESET));
            long waitMicros = packed.next(ReplyField.WAIT);
            return new CounterReply(
                    admitted,
                    standing,
                    waitMicros == NEVER ? Outcome.NEVER : waitMicros,
                    packed.next(ReplyField.AHEAD),
                    packed.next(ReplyField.UNTIL),
                    SharingMode.of(ask.limit().policy()).isGlobal()
                            ? new CounterReply.GlobalUsage(
                                    packed.next(SharedReplyField.TAKEN),
                                    packed.next(SharedReplyField.RETURNED),
                                    packed.next(SharedReplyField.USED_ELSEWHERE),
                                    packed.next(SharedReplyField.GRANT_AVAILABLE))
                            : null);
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
