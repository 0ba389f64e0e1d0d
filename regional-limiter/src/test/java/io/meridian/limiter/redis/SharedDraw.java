package io.meridian.limiter.redis;

import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.algorithm.Quota;
import io.meridian.model.algorithm.Window;
import io.meridian.model.counter.CounterRequest;
import io.meridian.model.counter.GlobalCounter.FloorOffer;
import io.meridian.model.counter.WindowAccount;
import io.meridian.model.counter.WindowAccount.WindowVerdict;
import io.meridian.model.match.Limit;
import io.meridian.model.policy.Coordination.AfterHeal;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** Random limits that regions share, what is asked of them and what is said of them. */
final class SharedDraw {
    private static final long KEEP_ALL = Long.MAX_VALUE;

    private SharedDraw() {}

    /** Windows are those of {@link Draw}; one window holds most of a history. */
    static Limit limit(SplittableRandom random, String id, Algorithm algorithm, boolean escrow) {
        Quota terms = Draw.terms(random, algorithm);
        long version = random.nextLong(1, 4);
        if (escrow) {
            return SharedLimits.escrow(id, version, terms);
        }
        AfterHeal afterHeal = random.nextBoolean() ? AfterHeal.CAP : AfterHeal.FORGIVE;
        return SharedLimits.converge(id, algorithm, afterHeal, version, terms);
    }

    /** Another version or limit of the same policy; its window stays. */
    static Limit changed(SplittableRandom random, Limit old) {
        Algorithm algorithm = old.policy().limitSpec().algorithm();
        Limit other = limit(
                random,
                old.policy().id(),
                algorithm,
                old.policy().coordination().isEscrow());
        Quota drawn = other.quota();
        Quota terms = Quota.of(drawn.limit(), drawn.burst(), old.quota().window());
        return new Limit(other.policy(), terms, other.key(), 1, 1);
    }

    static CounterRequest ask(SplittableRandom random, Limit limit, long nowMicros) {
        CounterRequest plain = Draw.ask(random, limit, nowMicros);
        if (!(plain instanceof CounterRequest.Take take)) {
            return plain;
        }
        long asked = random.nextInt(3) == 0 ? random.nextLong(1_000) : take.cost();
        long overdraft =
                switch (random.nextInt(6)) {
                    case 0 -> CounterRequest.Take.LOCAL;
                    case 1 -> random.nextLong(limit.quota().capacity() + 1);
                    default -> 0;
                };
        return new CounterRequest.Take(limit, take.cost(), take.ahead(), take.horizonMicros(), asked, overdraft);
    }

    /** The floor of the window that is open, or of one that is not. */
    static FloorOffer offer(SplittableRandom random, Limit limit, long nowMicros) {
        Window window = limit.quota().window();
        long start = window.startMicros(nowMicros);
        long units = random.nextLong(limit.quota().capacity() / 2 + 2);
        return switch (random.nextInt(4)) {
            case 0 -> FloorOffer.NONE;
            case 1 -> new FloorOffer(units, Math.max(0, start + random.nextInt(-1, 2)), Long.MAX_VALUE);
            case 2 -> new FloorOffer(units, 0, Math.max(0, start + random.nextInt(-1, 2)));
            default -> new FloorOffer(units, 0, window.endMicros(start));
        };
    }

    /** Mostly newer than what was told, sometimes older; about what the book is near to. */
    static WindowVerdict verdict(SplittableRandom random, Limit limit, WindowAccount book) {
        long capacity = limit.quota().capacity();
        boolean escrow = limit.policy().coordination().isEscrow();
        long epoch = Math.max(1, book.verdict().epoch() + (random.nextInt(8) == 0 ? random.nextInt(-1, 2) : 0));
        long sequence = Math.max(0, book.verdict().sequence() + random.nextInt(-1, 4));
        long elsewhere = random.nextInt(4) == 0
                ? random.nextLong(2 * capacity + 1)
                : Math.max(0, book.verdict().usedElsewhere() + random.nextLong(-capacity / 20 - 1, capacity / 10 + 2));
        long granted =
                !escrow ? 0 : Math.max(0, book.granted() + random.nextLong(-2 - capacity / 20, 2 + capacity / 4));
        long keep = escrow && random.nextInt(3) == 0 ? random.nextLong(capacity / 4 + 2) : KEEP_ALL;
        long version = limit.policy().revision().version() + (random.nextInt(5) == 0 ? 1 : 0);
        long flagged = Math.max(1, capacity + (random.nextInt(3) == 0 ? random.nextInt(-1, 2) : 0));
        boolean blocked = random.nextInt(4) == 0;
        return new WindowVerdict(
                epoch,
                sequence,
                Math.min(elsewhere, WindowAccount.MAX),
                blocked,
                version,
                flagged,
                Math.min(granted, WindowAccount.MAX),
                keep);
    }

    /** Mostly within a window, and back only a little: what counts in windows by the clock is not asked to know better. */
    static long nextMicros(SplittableRandom random, long nowMicros, long latestMicros, Quota terms) {
        long windowMicros = terms.window() instanceof Window.Span span ? span.micros() : TimeUnit.DAYS.toMicros(30);
        return switch (random.nextInt(12)) {
            case 0 -> Draw.nextMicros(random, nowMicros, latestMicros, terms);
            case 1 -> nowMicros - random.nextLong(1 + windowMicros / 20);
            case 2 ->
                Draw.aroundMicros(
                        random, terms.window().endMicros(terms.window().startMicros(nowMicros)));
            case 3 -> nowMicros + random.nextLong(windowMicros);
            default -> nowMicros + random.nextLong(1 + windowMicros / 100);
        };
    }
}
