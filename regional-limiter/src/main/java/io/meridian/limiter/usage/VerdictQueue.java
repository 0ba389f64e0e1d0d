package io.meridian.limiter.usage;

import io.meridian.limiter.decide.RegionBooks;
import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.RegionIncarnation;
import io.meridian.model.wire.VerdictRecord;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Verdicts that the region has not taken yet: of each life, limit and window the last. Bounded by the number of limits. */
final class VerdictQueue {
    private static final int AT_ONCE = 200;
    private static final int MAX = 200_000;
    /** A clock that runs ahead takes a window for over too early, and may be set right again: so long it is heard of all the same. */
    private static final long AHEAD_MICROS = TimeUnit.SECONDS.toMicros(10);

    private final String region;
    private final RegionBooks books;
    private final LongSupplier nowMicros;
    private final Map<Told, VerdictRecord> waiting = new LinkedHashMap<>();

    /** Who was told of what: a later verdict takes the place of an earlier one. */
    private record Told(LimitWindow limit, RegionIncarnation life) {
        static Told of(VerdictRecord verdict) {
            return new Told(verdict.limit(), verdict.incarnation());
        }
    }

    VerdictQueue(String region, RegionBooks books, LongSupplier nowMicros) {
        this.region = region;
        this.books = books;
        this.nowMicros = nowMicros;
    }

    /**
     * Whether it is taken up. What is for an earlier life of this region is nobody's here; nor is what is over. What is for a life
     * that this instance has not heard of yet, because it has just started or another began it, waits until it has: it is not told
     * again.
     */
    boolean add(VerdictRecord verdict) {
        boolean ours = verdict.incarnation().region().equals(region)
                && verdict.incarnation().number() >= books.life().orElse(0)
                && toldUntilMicros(verdict) > nowMicros.getAsLong();
        Told told = Told.of(verdict);
        if (!ours || (waiting.size() >= MAX && !waiting.containsKey(told))) {
            return false;
        }
        waiting.put(told, verdict);
        return true;
    }

    /** What is to be applied next; forgets what is over or of a life that is. */
    List<VerdictRecord> next() {
        OptionalLong life = books.life();
        if (life.isEmpty() || waiting.isEmpty()) {
            return List.of();
        }
        long now = nowMicros.getAsLong();
        waiting.values().removeIf(each -> each.incarnation().number() < life.getAsLong() || toldUntilMicros(each) <= now);
        return waiting.values().stream()
                .filter(each -> each.incarnation().number() == life.getAsLong())
                .limit(AT_ONCE)
                .toList();
    }

    void taken(List<VerdictRecord> some) {
        some.forEach(each -> waiting.remove(Told.of(each)));
    }

    private static long toldUntilMicros(VerdictRecord verdict) {
        return AHEAD_MICROS + verdict.rule().countedUntilMicros(verdict.limit().startMicros());
    }
}
