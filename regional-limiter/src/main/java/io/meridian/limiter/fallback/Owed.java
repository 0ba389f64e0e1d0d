package io.meridian.limiter.fallback;

import io.meridian.limiter.decide.LimitId;
import io.meridian.model.lease.Ask;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What was admitted without the region and is still to be charged there, summed by limit. Bounded: beyond it is forgiven. */
final class Owed {
    private final int max;
    private final Map<LimitId, Ask.Settle> byLimit = new LinkedHashMap<>();
    private long forgiven;

    Owed(int max) {
        this.max = max;
    }

    synchronized void add(Ask.Settle more) {
        LimitId id = LimitId.of(more.limit());
        Ask.Settle before = byLimit.get(id);
        if (before == null && byLimit.size() >= max) {
            forgiven += more.cost();
            return;
        }
        byLimit.put(id, before == null ? more : new Ask.Settle(more.limit(), before.cost() + more.cost()));
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

    synchronized long forgiven() {
        return forgiven;
    }
}
