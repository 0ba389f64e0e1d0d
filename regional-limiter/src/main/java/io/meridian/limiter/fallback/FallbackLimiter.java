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
import io.meridian.model.algorithm.Quota;
import io.meridian.model.counter.CounterReply;
import io.meridian.model.counter.CounterRequest;
import io.meridian.model.counter.RegionalCounter;
import io.meridian.model.match.Limit;
import io.meridian.model.policy.Coordination.OnExhausted;
import io.meridian.model.policy.Coordination.Scope;
import io.meridian.model.policy.Enforcement.OnFailure;
import io.meridian.model.policy.Policy;
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
    public synchronized List<CounterReply> answer(List<CounterRequest> group, long nowMicros) {
        boolean barred = group.stream().anyMatch(FallbackLimiter::isBarring);
        List<CounterRequest> counted = new ArrayList<>(group.size());
        List<CounterState> before = new ArrayList<>(group.size());
        for (CounterRequest ask : group) {
            if (isCounted(ask)) {
                counted.add(
                        barred && ask instanceof CounterRequest.Take take
                                ? new CounterRequest.Peek(stretched(take), take.cost())
                                : scaled(ask));
                before.add(states.get(LimitId.of(ask.limit()), absent -> CounterState.UNTOUCHED));
            }
        }
        RegionalCounter turn = RegionalCounter.of(counted, before, nowMicros);
        for (int i = 0; i < counted.size(); i++) {
            states.put(LimitId.of(counted.get(i).limit()), turn.states().get(i));
        }
        Iterator<CounterReply> answers = turn.replies().iterator();
        List<CounterReply> told = new ArrayList<>(group.size());
        for (CounterRequest ask : group) {
            told.add(isCounted(ask) ? seen(ask.limit(), answers.next()) : uncounted(ask, nowMicros));
        }
        owe(group, told, nowMicros);
        return told;
    }

    /** A policy that fails open admits without counting; one in escrow has nothing to spend here. */
    private static boolean isCounted(CounterRequest ask) {
        return ask.limit().policy().enforcement().onFailure() != OnFailure.OPEN && !isEscrowed(ask.limit());
    }

    /** Whether a limit is a hard one in escrow. Its grants are in the region's Redis: spending without it could exceed the limit globally. */
    private static boolean isEscrowed(Limit limit) {
        Policy policy = limit.policy();
        return policy.coordination().isEscrow()
                && policy.coordination().onExhausted() instanceof OnExhausted.Deny
                && policy.enforcement().onFailure() != OnFailure.OPEN;
    }

    private static boolean isBarring(CounterRequest ask) {
        return ask instanceof CounterRequest.Take
                && isEscrowed(ask.limit())
                && !ask.limit().policy().enforcement().isShadow();
    }

    private static CounterReply uncounted(CounterRequest ask, long nowMicros) {
        return isEscrowed(ask.limit())
                ? new CounterReply(
                        false,
                        new Standing(ask.limit().quota().capacity(), 0, nowMicros + AGAIN_MICROS),
                        AGAIN_MICROS,
                        0,
                        0)
                : open(ask.limit(), nowMicros);
    }

    private static CounterReply open(Limit limit, long nowMicros) {
        long capacity = limit.quota().capacity();
        return new CounterReply(true, new Standing(capacity, capacity, nowMicros), 0, 0, 0);
    }

    private void owe(List<CounterRequest> group, List<CounterReply> told, long nowMicros) {
        for (int i = 0; i < group.size(); i++) {
            boolean binds = !group.get(i).limit().policy().enforcement().isShadow();
            if (binds && !told.get(i).admitted()) {
                return;
            }
        }
        for (int i = 0; i < group.size(); i++) {
            if (group.get(i) instanceof CounterRequest.Take take && told.get(i).admitted()) {
                owed.add(new CounterRequest.Charge(take.limit(), take.cost(), nowMicros));
            }
        }
    }

    @Override
    public List<CounterRequest.Charge> pendingCharges(int max) {
        return owed.take(max);
    }

    @Override
    public void returnCharge(CounterRequest.Charge settle) {
        owed.add(settle);
    }

    private Limit stretched(CounterRequest ask) {
        Limit limit = ask.limit();
        return new Limit(limit.policy(), scaled(limit), limit.key(), limit.cost(), limit.unitCost());
    }

    private CounterRequest scaled(CounterRequest ask) {
        Limit scaled = stretched(ask);
        if (ask instanceof CounterRequest.Take take) {
            return new CounterRequest.Take(scaled, take.cost(), 0, 0);
        }
        if (ask instanceof CounterRequest.Peek peek) {
            return new CounterRequest.Peek(scaled, peek.cost());
        }
        if (ask instanceof CounterRequest.Refund back) {
            return new CounterRequest.Refund(scaled, back.cost(), back.takenMicros());
        }
        return ask instanceof CounterRequest.Charge settle
                ? new CounterRequest.Charge(scaled, settle.cost(), settle.takenMicros())
                : new CounterRequest.Reset(scaled);
    }

    private Quota scaled(Limit limit) {
        Quota terms = limit.quota();
        return Quota.of(scaled(terms.limit(), 1), scaled(terms.burst(), 0), terms.window());
    }

    private long scaled(long value, long min) {
        return Math.max(min, Math.min(Quota.MAX, value * config.limitPercent() / 100));
    }

    /** Clients are told of their limit as it is written, not as it is stretched. */
    private static CounterReply seen(Limit limit, CounterReply told) {
        long capacity = limit.quota().capacity();
        Standing standing = told.standing();
        return new CounterReply(
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
        private final Map<Debt, CounterRequest.Charge> byLimit = new LinkedHashMap<>();

        /** Key of what is charged as one: each window for itself, where there are windows or the limit is global. */
        private record Debt(LimitId limit, long startMicros) {
            static Debt of(CounterRequest.Charge settle) {
                Limit limit = settle.limit();
                boolean windowed = limit.policy().coordination().scope() == Scope.GLOBAL
                        || limit.policy().limitSpec().algorithm().isWindowed();
                return new Debt(
                        LimitId.of(limit), windowed ? limit.quota().window().startMicros(settle.takenMicros()) : 0);
            }
        }

        /** @param forgiven told of units that will not be charged */
        PendingCharges(int max, LongConsumer forgiven) {
            this.max = max;
            this.forgiven = forgiven;
        }

        synchronized void add(CounterRequest.Charge more) {
            Debt id = Debt.of(more);
            CounterRequest.Charge before = byLimit.get(id);
            if (before == null && byLimit.size() >= max) {
                forgiven.accept(more.cost());
                return;
            }
            byLimit.put(
                    id,
                    before == null
                            ? more
                            : new CounterRequest.Charge(more.limit(), before.cost() + more.cost(), more.takenMicros()));
        }

        /** Takes out up to {@code count} of them. */
        synchronized List<CounterRequest.Charge> take(int count) {
            List<CounterRequest.Charge> taken = new ArrayList<>(Math.min(count, byLimit.size()));
            Iterator<CounterRequest.Charge> all = byLimit.values().iterator();
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
