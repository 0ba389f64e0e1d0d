package io.meridian.limiter.fallback;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.meridian.limiter.LimiterConfig.FallbackConfig;
import io.meridian.limiter.metrics.LimiterMetrics;
import io.meridian.limiter.metrics.UsageMetrics.UsageLoss;
import io.meridian.limiter.region.LimitId;
import io.meridian.limiter.region.Ports.Fallback;
import io.meridian.model.algorithm.CounterState;
import io.meridian.model.algorithm.Outcome.Standing;
import io.meridian.model.algorithm.Terms;
import io.meridian.model.lease.Ask;
import io.meridian.model.lease.Told;
import io.meridian.model.lease.Turn;
import io.meridian.model.match.Limit;
import io.meridian.model.policy.OnExhausted;
import io.meridian.model.policy.OnFailure;
import io.meridian.model.policy.Policy;
import io.meridian.model.policy.Scope;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;

/**
 * Limiter in memory, by the same algorithms and against a multiple of the limit. Its admissions are charged to the region when that
 * is back.
 */
@Singleton
public class FallbackLimiter implements Fallback {
    /** When an escrow that could not be asked is worth asking again. */
    private static final long AGAIN_MICROS = 1_000_000;

    private final FallbackConfig config;
    private final PendingCharges owed;
    private final Cache<LimitId, CounterState> states;

    public FallbackLimiter(FallbackConfig config, LimiterMetrics metrics) {
        this.config = config;
        this.owed = new PendingCharges(config.limits(), units -> metrics.usage().dropped(UsageLoss.FALLBACK, units));
        this.states = Caffeine.newBuilder().maximumSize(config.limits()).build();
        metrics.fallback().entries(states::estimatedSize);
        metrics.fallback().owed(owed::size);
    }

    /** One at a time: a group is all or nothing, and a microsecond is short. */
    @Override
    public synchronized List<Told> answer(List<Ask> group, long nowMicros) {
        boolean barred = group.stream().anyMatch(FallbackLimiter::isBarring);
        List<Ask> counted = new ArrayList<>(group.size());
        List<CounterState> before = new ArrayList<>(group.size());
        for (Ask ask : group) {
            if (isCounted(ask)) {
                counted.add(
                        barred && ask instanceof Ask.Take take
                                ? new Ask.Peek(stretched(take), take.cost())
                                : scaled(ask));
                before.add(states.get(LimitId.of(ask.limit()), absent -> CounterState.UNTOUCHED));
            }
        }
        Turn turn = Turn.of(counted, before, nowMicros);
        for (int i = 0; i < counted.size(); i++) {
            states.put(LimitId.of(counted.get(i).limit()), turn.states().get(i));
        }
        Iterator<Told> answers = turn.told().iterator();
        List<Told> told = new ArrayList<>(group.size());
        for (Ask ask : group) {
            told.add(isCounted(ask) ? seen(ask.limit(), answers.next()) : uncounted(ask, nowMicros));
        }
        owe(group, told, nowMicros);
        return told;
    }

    /** A policy that fails open admits without counting; one in escrow has nothing to spend here. */
    private static boolean isCounted(Ask ask) {
        return ask.limit().policy().enforcement().onFailure() != OnFailure.OPEN && !isEscrowed(ask.limit());
    }

    /** What was granted is in the region's Redis: without it nothing may be spent, or the world would exceed the limit. */
    private static boolean isEscrowed(Limit limit) {
        Policy policy = limit.policy();
        return policy.coordination().isEscrow()
                && policy.coordination().onExhausted() instanceof OnExhausted.Deny
                && policy.enforcement().onFailure() != OnFailure.OPEN;
    }

    private static boolean isBarring(Ask ask) {
        return ask instanceof Ask.Take
                && isEscrowed(ask.limit())
                && !ask.limit().policy().enforcement().isShadow();
    }

    private static Told uncounted(Ask ask, long nowMicros) {
        return isEscrowed(ask.limit())
                ? new Told(
                        false,
                        new Standing(ask.limit().terms().capacity(), 0, nowMicros + AGAIN_MICROS),
                        AGAIN_MICROS,
                        0,
                        0)
                : open(ask.limit(), nowMicros);
    }

    private static Told open(Limit limit, long nowMicros) {
        long capacity = limit.terms().capacity();
        return new Told(true, new Standing(capacity, capacity, nowMicros), 0, 0, 0);
    }

    private void owe(List<Ask> group, List<Told> told, long nowMicros) {
        for (int i = 0; i < group.size(); i++) {
            boolean binds = !group.get(i).limit().policy().enforcement().isShadow();
            if (binds && !told.get(i).admitted()) {
                return;
            }
        }
        for (int i = 0; i < group.size(); i++) {
            if (group.get(i) instanceof Ask.Take take && told.get(i).admitted()) {
                owed.add(new Ask.Settle(take.limit(), take.cost(), nowMicros));
            }
        }
    }

    @Override
    public List<Ask.Settle> pendingCharges(int max) {
        return owed.take(max);
    }

    @Override
    public void returnCharge(Ask.Settle settle) {
        owed.add(settle);
    }

    private Limit stretched(Ask ask) {
        Limit limit = ask.limit();
        return new Limit(limit.policy(), scaled(limit), limit.key(), limit.cost(), limit.unitCost());
    }

    private Ask scaled(Ask ask) {
        Limit scaled = stretched(ask);
        if (ask instanceof Ask.Take take) {
            return new Ask.Take(scaled, take.cost(), 0, 0);
        }
        if (ask instanceof Ask.Peek peek) {
            return new Ask.Peek(scaled, peek.cost());
        }
        if (ask instanceof Ask.GiveBack back) {
            return new Ask.GiveBack(scaled, back.cost(), back.takenMicros());
        }
        return ask instanceof Ask.Settle settle
                ? new Ask.Settle(scaled, settle.cost(), settle.takenMicros())
                : new Ask.Reset(scaled);
    }

    private Terms scaled(Limit limit) {
        Terms terms = limit.terms();
        return Terms.of(scaled(terms.limit(), 1), scaled(terms.burst(), 0), terms.window());
    }

    private long scaled(long value, long min) {
        return Math.max(min, Math.min(Terms.MAX, value * config.limitPercent() / 100));
    }

    /** Clients are told of their limit as it is written, not as it is stretched. */
    private static Told seen(Limit limit, Told told) {
        long capacity = limit.terms().capacity();
        Standing standing = told.standing();
        return new Told(
                told.admitted(),
                new Standing(capacity, Math.min(capacity, standing.remaining()), standing.resetAtMicros()),
                told.waitMicros(),
                0,
                0);
    }

    /**
     * Admissions of the fallback that are still to be charged to the region, summed by limit. Bounded: beyond it charges are
     * dropped, and counted.
     */
    static final class PendingCharges {
        private final int max;
        private final LongConsumer forgiven;
        private final Map<Debt, Ask.Settle> byLimit = new LinkedHashMap<>();

        /** Key of what is charged as one: each window for itself, where there are windows or the limit is global. */
        private record Debt(LimitId limit, long startMicros) {
            static Debt of(Ask.Settle settle) {
                Limit limit = settle.limit();
                boolean windowed = limit.policy().coordination().scope() == Scope.GLOBAL
                        || limit.policy().counting().algorithm().isWindowed();
                return new Debt(
                        LimitId.of(limit), windowed ? limit.terms().window().startMicros(settle.takenMicros()) : 0);
            }
        }

        /** @param forgiven told of units that will not be charged */
        PendingCharges(int max, LongConsumer forgiven) {
            this.max = max;
            this.forgiven = forgiven;
        }

        synchronized void add(Ask.Settle more) {
            Debt id = Debt.of(more);
            Ask.Settle before = byLimit.get(id);
            if (before == null && byLimit.size() >= max) {
                forgiven.accept(more.cost());
                return;
            }
            byLimit.put(
                    id,
                    before == null
                            ? more
                            : new Ask.Settle(more.limit(), before.cost() + more.cost(), more.takenMicros()));
        }

        /** Takes out up to {@code count} of them. */
        synchronized List<Ask.Settle> take(int count) {
            List<Ask.Settle> taken = new ArrayList<>(Math.min(count, byLimit.size()));
            Iterator<Ask.Settle> all = byLimit.values().iterator();
            while (taken.size() < count && all.hasNext()) {
                taken.add(all.next());
                all.remove();
            }
            return taken;
        }

        synchronized int size() {
            return byLimit.size();
        }
    }
}
