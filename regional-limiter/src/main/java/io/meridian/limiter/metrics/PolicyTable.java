package io.meridian.limiter.metrics;

import io.meridian.model.policy.Policy;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * What belongs to a policy, found by the object itself: a policy's own equality reads all of it. Of fixed size and without
 * locks; what finds no room near its place is not kept and has to be looked up elsewhere each time.
 */
final class PolicyTable<V> {
    private static final int SLOTS = 8_192;
    private static final int PROBES_MAX = 16;

    private record Entry<V>(Policy policy, V value) {}

    private final AtomicReferenceArray<@Nullable Entry<V>> slots = new AtomicReferenceArray<>(SLOTS);

    @SuppressWarnings("ReferenceEquality")
    @Nullable V find(Policy policy) {
        int home = System.identityHashCode(policy);
        for (int probe = 0; probe < PROBES_MAX; probe++) {
            Entry<V> entry = slots.getAcquire(slot(home, probe));
            if (entry == null) {
                return null;
            }
            if (entry.policy == policy) {
                return entry.value;
            }
        }
        return null;
    }

    void keep(Policy policy, V value) {
        Entry<V> entry = new Entry<>(policy, value);
        int home = System.identityHashCode(policy);
        for (int probe = 0; probe < PROBES_MAX; probe++) {
            if (slots.compareAndSet(slot(home, probe), null, entry)) {
                return;
            }
        }
    }

    private static int slot(int home, int probe) {
        return (home + probe) & (SLOTS - 1);
    }
}
