package io.meridian.limiter.redis;

import io.meridian.model.counter.WindowAccount.WindowVerdict;
import io.meridian.model.counter.WindowAccount;
import io.meridian.model.match.Limit;
import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/** Reads books as book.lua packs them, by its header and not by its code. */
final class PackedBook {
    private static final int OWN_LIMIT = 4;
    private static final int TOLD = 8;
    private static final int ESCROW = 16;
    private static final int FLOOR = 64;
    private static final int BLOCKED = 32;

    private final Buffer packed;
    private int at;

    private PackedBook(Buffer packed) {
        this.packed = packed;
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
                .put((byte)
                        ('0' + AlgorithmCode.layout(limit.policy().limitSpec().algorithm())))
                .array();
    }

    /** What of a verdict is not kept, what to keep and what was granted in all, is as if it had not been said. */
    static WindowAccount read(Buffer packed) {
        return new PackedBook(packed).book();
    }

    private WindowAccount book() {
        long taken = next(6);
        long returned = next(6);
        next(4);
        int flags = (int) next(1);
        if ((flags & OWN_LIMIT) != 0) {
            next(6);
        }
        WindowVerdict told = bare(0, 0, 0, false, 0, 0);
        long applied = 0;
        if ((flags & TOLD) != 0) {
            long epoch = next(4);
            long sequence = next(5);
            long elsewhere = next(6);
            applied = next(6);
            told = bare(epoch, sequence, elsewhere, (flags & BLOCKED) != 0, next(4), next(6));
        }
        boolean escrow = (flags & ESCROW) != 0;
        long granted = escrow ? next(6) : 0;
        long grantReturned = escrow ? next(6) : 0;
        long refused = escrow ? next(6) : 0;
        long asked = escrow ? next(6) : 0;
        long floor = (flags & FLOOR) != 0 ? next(6) : WindowAccount.UNDECIDED;
        if (at != packed.length()) {
            throw new AssertionError("a book of " + packed.length() + " bytes, of which " + at + " are known");
        }
        return new WindowAccount(taken, returned, told, applied, granted, grantReturned, floor, asked, refused);
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

    private static WindowVerdict bare(long epoch, long sequence, long elsewhere, boolean blocked, long version, long limit) {
        return new WindowVerdict(epoch, sequence, elsewhere, blocked, version, limit, 0, 0);
    }

    private long next(int bytes) {
        long number = 0;
        for (int i = 0; i < bytes; i++) {
            number = number << Byte.SIZE | packed.getUnsignedByte(at++);
        }
        return number;
    }
}
