package io.meridian.limiter.redis;

import io.meridian.limiter.redis.CounterKey.AlgorithmCode;
import io.meridian.model.counter.WindowAccount;
import io.meridian.model.counter.WindowAccount.WindowVerdict;
import io.meridian.model.match.Limit;
import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Accounts as Redis keeps them, read back for a comparison with pure books. */
final class PackedBook {
    /** Reads an account by the scripts' own reader: nobody else knows how it is stored. */
    private static final Script READER =
            Script.of(Script.load(List.of("lib/call", "lib/account")).text() + """
            local raw = call('GET', KEYS[1])
            if not raw then return false end
            local account = readAccount(raw)
            return pack('>I8I8I8I8I8I8BI8I8I8I8I8I8i8', account.taken, account.returned, account.epoch, account.sequence,
                account.usedElsewhere, account.applied, account.blocked and 1 or 0, account.version, account.verdictLimit,
                account.granted, account.grantReturned, account.refused, account.requested, account.floor or -1)
            """);

    private final Buffer fields;
    private int at;

    private PackedBook(Buffer fields) {
        this.fields = fields;
    }

    static byte[] key(byte[] prefix, long startMicros) {
        long seconds = TimeUnit.MICROSECONDS.toSeconds(startMicros);
        return ByteBuffer.allocate(prefix.length + 6)
                .put(prefix)
                .put((byte) 'u')
                .put((byte) (seconds >>> Integer.SIZE))
                .putInt((int) seconds)
                .array();
    }

    /** Where the counter of an algorithm without aligned windows is. */
    static byte[] counterKey(byte[] prefix, Limit limit) {
        return ByteBuffer.allocate(prefix.length + 2)
                .put(prefix)
                .put((byte) 'c')
                .put((byte) ('0' + AlgorithmCode.of(limit.policy().limitSpec().algorithm())))
                .array();
    }

    /** What of a verdict is not kept, what to keep and what was granted in all, is as if it had not been said. */
    static Optional<WindowAccount> read(RedisTalk redis, byte[] name) {
        return Optional.ofNullable(
                        redis.ask(READER.byText().arg(1).arg(name).arg("0").arg("")))
                .map(fields -> new PackedBook(fields.toBuffer()).book());
    }

    private WindowAccount book() {
        long taken = next();
        long returned = next();
        long epoch = next();
        long sequence = next();
        long usedElsewhere = next();
        long applied = next();
        boolean blocked = fields.getByte(at++) == 1;
        WindowVerdict told = bare(epoch, sequence, usedElsewhere, blocked, next(), next());
        long granted = next();
        long grantReturned = next();
        long refused = next();
        long requested = next();
        return new WindowAccount(taken, returned, told, applied, granted, grantReturned, next(), requested, refused);
    }

    /** A pure book as it is read back. */
    static WindowAccount bare(WindowAccount book) {
        WindowVerdict told = book.verdict();
        return new WindowAccount(
                book.taken(),
                book.returned(),
                bare(told.epoch(), told.sequence(), told.usedElsewhere(), told.blocked(), told.version(), told.limit()),
                book.applied(),
                book.granted(),
                book.grantReturned(),
                book.floor(),
                book.requested(),
                book.refused());
    }

    private static WindowVerdict bare(
            long epoch, long sequence, long elsewhere, boolean blocked, long version, long limit) {
        return new WindowVerdict(epoch, sequence, elsewhere, blocked, version, limit, 0, 0);
    }

    private long next() {
        long number = fields.getLong(at);
        at += Long.BYTES;
        return number;
    }
}
