package io.meridian.sync.aggregate;

import io.meridian.model.hash.SipHash;
import io.meridian.model.policy.Coordination.AfterHeal;
import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.SharingMode;
import io.meridian.model.usage.WindowRule;
import io.meridian.sync.aggregate.Incarnations.Numbering;
import io.meridian.sync.aggregate.LimitTable.LimitIdentity;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * Byte encoding of entries: numbers of seven bits a byte, and only the non-zero fields of a row. Objects would take ten times the
 * memory, and a leader holds millions of entries. The identity comes first, so that an entry is found by its first bytes.
 */
final class EntryPacking {
    private static final int CODES = 16;
    private static final int UNACCOUNTED = 8;
    private static final int NUMBERS = 9;
    private static final int BLOCKED = 1 << NUMBERS;

    private final Numbering<String> policies;
    private final SipHash hash;
    private byte[] bytes = new byte[256];
    private int at;

    EntryPacking(Numbering<String> policies, SipHash hash) {
        this.policies = policies;
        this.hash = hash;
    }

    /** The identity of a window, which starts at a whole second. */
    LimitIdentity identity(LimitWindow limit) {
        at = 0;
        writeIdentity(limit);
        return new LimitIdentity(Arrays.copyOf(bytes, at), hash);
    }

    byte[] pack(LimitEntry entry) {
        at = 0;
        writeIdentity(entry.limit);
        WindowRule rule = entry.rule;
        write(rule.policyVersion());
        write(rule.limit());
        write(TimeUnit.MICROSECONDS.toSeconds(rule.windowMicros()));
        write(rule.sharing().code()
                + (entry.unaccounted ? UNACCOUNTED : 0)
                + (long) CODES * rule.afterHeal().code());
        write(entry.reportedExcess);
        write(entry.rows.size());
        entry.rows.forEach(this::write);
        return Arrays.copyOf(bytes, at);
    }

    LimitEntry unpack(byte[] packed) {
        bytes = packed.length > bytes.length ? new byte[2 * packed.length] : bytes;
        System.arraycopy(packed, 0, bytes, 0, packed.length);
        at = 0;
        int policy = (int) read();
        long startMicros = TimeUnit.SECONDS.toMicros(read());
        int length = (int) read();
        String key = new String(bytes, at, length, StandardCharsets.UTF_8);
        at += length;
        long version = read();
        long limit = read();
        long windowMicros = TimeUnit.SECONDS.toMicros(read());
        int codes = (int) read();
        LimitEntry entry = new LimitEntry(
                new LimitWindow(policies.name(policy), key, startMicros),
                new WindowRule(
                        version,
                        limit,
                        windowMicros,
                        SharingMode.ofCode(codes % UNACCOUNTED),
                        AfterHeal.ofCode(codes / CODES)));
        entry.unaccounted = codes % CODES >= UNACCOUNTED;
        entry.reportedExcess = read();
        for (long rows = read(); rows > 0; rows--) {
            entry.rows.add(readRow());
        }
        return entry;
    }

    private void writeIdentity(LimitWindow limit) {
        write(policies.number(limit.policyId()));
        write(TimeUnit.MICROSECONDS.toSeconds(limit.startMicros()));
        byte[] key = limit.key().getBytes(StandardCharsets.UTF_8);
        write(key.length);
        room(key.length);
        System.arraycopy(key, 0, bytes, at, key.length);
        at += key.length;
    }

    private void write(RegionRow row) {
        long[] numbers = {
            row.taken,
            row.returned,
            row.granted,
            row.grantReturned,
            row.demandPerSecond,
            row.refusedCost,
            row.reportedTenths,
            row.publishedElsewhere,
            row.floor + 1
        };
        int which = row.publishedBlocked ? BLOCKED : 0;
        for (int i = 0; i < NUMBERS; i++) {
            which |= numbers[i] == 0 ? 0 : 1 << i;
        }
        write(row.incarnation);
        write(which);
        for (long number : numbers) {
            if (number != 0) {
                write(number);
            }
        }
    }

    private RegionRow readRow() {
        RegionRow row = new RegionRow((int) read());
        int which = (int) read();
        long[] numbers = new long[NUMBERS];
        for (int i = 0; i < NUMBERS; i++) {
            numbers[i] = (which & 1 << i) == 0 ? 0 : read();
        }
        row.taken = numbers[0];
        row.returned = numbers[1];
        row.granted = numbers[2];
        row.grantReturned = numbers[3];
        row.demandPerSecond = numbers[4];
        row.refusedCost = numbers[5];
        row.reportedTenths = numbers[6];
        row.publishedElsewhere = numbers[7];
        row.floor = numbers[8] - 1;
        row.publishedBlocked = (which & BLOCKED) != 0;
        return row;
    }

    private void write(long number) {
        room(10);
        long rest = number;
        while ((rest & ~0x7fL) != 0) {
            bytes[at++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[at++] = (byte) rest;
    }

    private long read() {
        long number = 0;
        int shift = 0;
        byte next;
        do {
            next = bytes[at++];
            number |= (next & 0x7fL) << shift;
            shift += 7;
        } while (next < 0);
        return number;
    }

    private void room(int more) {
        if (at + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, 2 * (at + more));
        }
    }
}
