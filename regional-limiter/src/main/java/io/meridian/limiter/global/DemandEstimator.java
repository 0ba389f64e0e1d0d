package io.meridian.limiter.global;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.meridian.limiter.region.RegionAccounts.DueAccount;
import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.SharingMode;
import java.util.concurrent.TimeUnit;

/**
 * Estimates of how fast limits are requested, by what this instance saw of them before. Bounded: one that is forgotten begins anew.
 *
 * <p>Formulas, of n units within the time t since the last look: a bound rests on n / t, rather too much than too little. Grants follow
 * what came lately over how long that is, both fading with a time of {@value #LATELY_SECONDS} s, or (n − √n) / t if that is more: a few
 * units that happen to come together say little, and what one region is granted for them the others lack; many are believed at once.
 */
final class DemandEstimator {
    private static final double LATELY_SECONDS = 1;
    /** A limit that is seen for the first time counts as seen for so long: one unit is no rate. */
    private static final double FIRST_SECONDS = 0.25;

    private static final double SECOND_MICROS = TimeUnit.SECONDS.toMicros(1);
    /** Of two looks closer together the difference says too little. */
    private static final double APART_SECONDS = 0.02;

    private final Cache<LimitWindow, Seen> seen;

    /** Observation of a limit: what was ever requested, and what came lately within how long. */
    private record Seen(long units, long atMicros, double lately, double forSeconds) {
        Seen next(long asked, long nowMicros, double seconds) {
            double kept = Math.exp(-seconds / LATELY_SECONDS);
            double fresh = (1 - kept) * LATELY_SECONDS;
            double more = (asked - units) / seconds;
            return new Seen(asked, nowMicros, lately * kept + more * fresh, forSeconds * kept + fresh);
        }

        double perSecond() {
            return lately / forSeconds;
        }
    }

    DemandEstimator(int limits) {
        this.seen = Caffeine.newBuilder()
                .maximumSize(limits)
                .executor(Runnable::run)
                .build();
    }

    /** Units per second, rounded up; what was never seen before is taken to have come within a second. */
    long perSecond(DueAccount account, SharingMode sharing, long nowMicros) {
        Seen before = seen.getIfPresent(account.limit());
        if (before == null) {
            double open = (nowMicros - account.limit().startMicros()) / SECOND_MICROS;
            before = new Seen(0, nowMicros - (long) (Math.min(1, open) * SECOND_MICROS), 0, FIRST_SECONDS);
        }
        long units = Math.max(before.units, wanted(account, sharing));
        double seconds = Math.max(APART_SECONDS, (nowMicros - before.atMicros) / SECOND_MICROS);
        Seen now = before.next(units, nowMicros, seconds);
        seen.put(account.limit(), now);
        long more = units - before.units;
        double perSecond = sharing == SharingMode.ESCROW
                ? Math.max(now.perSecond(), (more - Math.sqrt((double) more)) / seconds)
                : more / seconds;
        return (long) Math.ceil(perSecond);
    }

    /** Units requested from an account, without returned units in escrow: counting units leased anew would take grants from other regions. */
    private static long wanted(DueAccount account, SharingMode sharing) {
        long returned = sharing == SharingMode.ESCROW ? account.count().returned() : 0;
        return Math.max(account.requested(), account.count().taken() - returned);
    }
}
