package io.meridian.limiter.redis;

import io.meridian.limiter.decide.RegionBooks.Due;
import io.meridian.limiter.decide.RegionBooks.DueBook;
import io.meridian.model.counter.WindowAccount;
import io.meridian.model.match.Shard;
import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.UsageCount;
import io.vertx.core.buffer.Buffer;
import io.vertx.redis.client.Response;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Unpacks what collect.lua replies: book.lua names every byte. */
final class DueReader {
    private static final int START_AT = 7;
    private static final int LIFE_AT = 12;
    private static final int TEXT_AT = 20;
    private static final int OWN_LIMIT = 4;
    private static final int TOLD = 8;
    private static final int TOLD_BYTES = 31;
    private static final int ESCROW = 16;
    private static final int FLOOR = 64;
    private static final int ESCROW_BYTES = 24;
    private static final int FLAGS_AT = 16;

    private DueReader() {}

    static Due read(Response answer, List<Shard> shards) {
        List<DueBook> books = new ArrayList<>();
        for (int i = 1; i + 2 < answer.size(); i += 3) {
            Shard shard = shards.get(answer.get(i).toBuffer().getUnsignedShort(0) - 1);
            books.add(
                    book(shard, answer.get(i + 1).toBuffer(), answer.get(i + 2).toBuffer()));
        }
        return new Due(books, answer.get(0).toBuffer().getLong(0));
    }

    static Due joined(List<Due> parts) {
        List<DueBook> books = new ArrayList<>();
        long nowMicros = 0;
        for (Due part : parts) {
            books.addAll(part.books());
            nowMicros = Math.max(nowMicros, part.nowMicros());
        }
        return new Due(books, nowMicros);
    }

    private static DueBook book(Shard shard, Buffer member, Buffer book) {
        SharedText text = SharedText.read(member, TEXT_AT);
        long startMicros = TimeUnit.SECONDS.toMicros(number(member, START_AT, 5));
        int flags = book.getUnsignedByte(FLAGS_AT);
        int at = FLAGS_AT + 1;
        long ownLimit = 0;
        if ((flags & OWN_LIMIT) != 0) {
            ownLimit = number(book, at, 6);
            at += 6;
        }
        at += (flags & TOLD) != 0 ? TOLD_BYTES : 0;
        boolean escrow = (flags & ESCROW) != 0;
        return new DueBook(
                new LimitWindow(text.policyId(), text.key(), startMicros),
                member.getLong(LIFE_AT),
                new UsageCount(number(book, 0, 6), number(book, 6, 6)),
                ownLimit,
                escrow ? number(book, at + 6, 6) : 0,
                escrow ? number(book, at + 12, 6) : 0,
                (flags & FLOOR) != 0 ? number(book, at + (escrow ? ESCROW_BYTES : 0), 6) : WindowAccount.UNDECIDED,
                escrow ? number(book, at + 18, 6) : 0,
                shard,
                new String(member.getBytes(), StandardCharsets.ISO_8859_1));
    }

    private static long number(Buffer packed, int from, int bytes) {
        long number = 0;
        for (int i = 0; i < bytes; i++) {
            number = number << Byte.SIZE | packed.getUnsignedByte(from + i);
        }
        return number;
    }
}
