package io.meridian.limiter.fallback;

import io.meridian.limiter.decide.LimitId;
import io.meridian.model.counter.CounterRequest;
import io.meridian.model.match.Limit;
import io.meridian.model.policy.Coordination.Scope;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;

/** What was admitted without the region and is still to be charged there, summed by limit. Bounded: beyond it is forgiven, and counted. */
final class Owed {
    private final int max;
    private final LongConsumer forgiven;
    private final Map<Debt, CounterRequest.Charge> byLimit = new LinkedHashMap<>();

    /** What is charged as one: each window for itself, where there are windows or regions share the limit. */
    private record Debt(LimitId limit, long startMicros) {
        static Debt of(CounterRequest.Charge settle) {
            Limit limit = settle.limit();
            boolean windowed = limit.policy().coordination().scope() == Scope.GLOBAL
                    || limit.policy().limitSpec().algorithm().isWindowed();
            return new Debt(LimitId.of(limit), windowed ? limit.quota().window().startMicros(settle.takenMicros()) : 0);
        }
    }

    /** @param forgiven told of units that will not be charged */
    Owed(int max, LongConsumer forgiven) {
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
                before == null ? more : new CounterRequest.Charge(more.limit(), before.cost() + more.cost(), more.takenMicros()));
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
