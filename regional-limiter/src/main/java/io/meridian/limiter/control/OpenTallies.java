package io.meridian.limiter.control;

import io.meridian.limiter.control.ViolationTally.ViolationKey;
import io.meridian.model.algorithm.Outcome.Standing;
import io.meridian.model.match.Check;
import io.meridian.model.match.Limit;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Tallies of the running interval. They lie in several maps; whoever wants to change one takes it out of its place and puts it
 * back, and who finds a place empty goes to the next: nobody ever waits, and no denial is counted twice or lost between counting
 * and draining. Each event loop has a place it tries first, so that as a rule it finds its map there.
 */
final class OpenTallies {
    /** References per cache line: two event loops must not write to the same. */
    private static final int SPACING = 16;

    private static final int PLACES_PER_PROCESSOR = 8;
    private static final int DRAIN_TRIES_MAX = 100;
    private static final long DRAIN_PAUSE_NANOS = 50_000;

    private final int places;
    private final int openMax;
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicReferenceArray<@Nullable Map<ViolationKey, ViolationTally>> maps;

    OpenTallies(int openMax) {
        this.openMax = openMax;
        this.places = Integer.highestOneBit(Runtime.getRuntime().availableProcessors()) * PLACES_PER_PROCESSOR;
        this.maps = new AtomicReferenceArray<>(places * SPACING);
        for (int place = 0; place < places; place++) {
            maps.set(place * SPACING, new HashMap<>());
        }
    }

    /** Counts a denial; false if there is no room for another limit, or if all places are taken at this moment. */
    boolean add(Limit limit, Standing standing, Check check, boolean shadow, long nowMicros) {
        int home = (int) Thread.currentThread().getId();
        for (int probe = 0; probe < places; probe++) {
            int place = ((home + probe) & (places - 1)) * SPACING;
            Map<ViolationKey, ViolationTally> tallies = maps.getAndSet(place, null);
            if (tallies != null) {
                try {
                    return add(tallies, limit, standing, check, shadow, nowMicros);
                } finally {
                    maps.setRelease(place, tallies);
                }
            }
        }
        return false;
    }

    private boolean add(
            Map<ViolationKey, ViolationTally> tallies,
            Limit limit,
            Standing standing,
            Check check,
            boolean shadow,
            long nowMicros) {
        ViolationKey key = ViolationKey.of(limit, shadow);
        ViolationTally tally = tallies.get(key);
        if (tally == null) {
            if (!openOneMore()) {
                return false;
            }
            tally = new ViolationTally();
            tallies.put(key, tally);
        }
        tally.add(check, limit, standing, nowMicros);
        return true;
    }

    private boolean openOneMore() {
        if (open.get() >= openMax) {
            return false;
        }
        if (open.incrementAndGet() > openMax) {
            open.decrementAndGet();
            return false;
        }
        return true;
    }

    /** Takes all tallies out; a limit may come several times. A place in use at this moment keeps its own for the next time. */
    void drain(BiConsumer<ViolationKey, ViolationTally> taker) {
        for (int place = 0; place < places; place++) {
            Map<ViolationKey, ViolationTally> tallies = takeOut(place * SPACING);
            tallies.forEach(taker);
            open.addAndGet(-tallies.size());
        }
    }

    private Map<ViolationKey, ViolationTally> takeOut(int place) {
        for (int tries = 0; tries < DRAIN_TRIES_MAX; tries++) {
            Map<ViolationKey, ViolationTally> tallies = maps.getAndSet(place, null);
            if (tallies != null) {
                // Once it is back in its place it is another's, and may not even be looked at.
                boolean empty = tallies.isEmpty();
                maps.setRelease(place, empty ? tallies : new HashMap<>());
                return empty ? Map.of() : tallies;
            }
            LockSupport.parkNanos(DRAIN_PAUSE_NANOS);
        }
        return Map.of();
    }
}
