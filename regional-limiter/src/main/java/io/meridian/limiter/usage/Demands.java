package io.meridian.limiter.usage;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.meridian.limiter.decide.RegionBooks.DueBook;
import io.meridian.model.usage.LimitWindow;
import java.util.concurrent.TimeUnit;

/** How fast limits are asked for, by what this instance saw of them the last time. Bounded: one that is forgotten begins anew. */
final class Demands {
    private static final long SECOND_MICROS = TimeUnit.SECONDS.toMicros(1);
    /** Of two looks closer together the difference says too little. */
    private static final long APART_MICROS = TimeUnit.MILLISECONDS.toMicros(20);

    private final Cache<LimitWindow, Seen> seen;

    private record Seen(long units, long atMicros) {}

    Demands(int limits) {
        this.seen = Caffeine.newBuilder()
                .maximumSize(limits)
                .executor(Runnable::run)
                .build();
    }

    /** Units per second, rounded up; what was never seen before is taken to have come within a second. */
    long perSecond(DueBook book, long nowMicros) {
        long units = Math.max(book.asked(), book.count().taken());
        Seen before = seen.getIfPresent(book.limit());
        seen.put(book.limit(), new Seen(units, nowMicros));
        long more = Math.max(0, units - (before == null ? 0 : before.units));
        long micros = before == null
                ? Math.min(
                        SECOND_MICROS,
                        Math.max(APART_MICROS, nowMicros - book.limit().startMicros()))
                : Math.max(APART_MICROS, nowMicros - before.atMicros);
        return (long) Math.ceil((double) more * SECOND_MICROS / micros);
    }
}
