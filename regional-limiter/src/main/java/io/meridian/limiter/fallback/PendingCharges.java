package io.meridian.limiter.fallback;

import io.meridian.limiter.region.LimitId;
import io.meridian.model.lease.Ask;
import io.meridian.model.match.Limit;
import io.meridian.model.policy.Scope;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;

/** What was admitted without the region and is still to be charged there, summed by limit. Bounded: beyond it is forgiven, and counted. */
final class PendingCharges {
    private final int max;
    private final LongConsumer forgiven;
    private final Map<Debt, Ask.Settle> byLimit = new LinkedHashMap<>();

    /** What is charged as one: each window for itself, where there are windows or regions share the limit. */
    private record Debt(LimitId limit, long startMicros) {
        static Debt of(Ask.Settle settle) {
            Limit limit = settle.limit();
            boolean windowed = limit.policy().coordination().scope() == Scope.GLOBAL
                    || limit.policy().counting().algorithm().isWindowed();
            return new Debt(LimitId.of(limit), windowed ? limit.terms().window().startMicros(settle.takenMicros()) : 0);
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
                before == null ? more : new Ask.Settle(more.limit(), before.cost() + more.cost(), more.takenMicros()));
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
