package io.meridian.model.lease;

import io.meridian.model.counter.CounterRequest;
import io.meridian.model.match.Limit;
import io.meridian.model.policy.Coordination.Scope;
import org.jspecify.annotations.Nullable;

/** Units taken from a counter at one time, to be spent until another. Guarded by their lease. */
public final class LeasedUnits {
    private final Limit limit;
    private final long takenMicros;
    private final long fromMicros;
    private final long untilMicros;
    private long units;
    private boolean counterGone;

    LeasedUnits(Limit limit, long units, long takenMicros, long untilMicros) {
        this.limit = limit;
        this.units = units;
        this.takenMicros = takenMicros;
        this.fromMicros = limit.policy().coordination().scope() == Scope.GLOBAL
                ? limit.quota().window().startMicros(takenMicros)
                : Long.MIN_VALUE;
        this.untilMicros = untilMicros;
    }

    Limit limit() {
        return limit;
    }

    long units() {
        return units;
    }

    long untilMicros() {
        return untilMicros;
    }

    /**
     * Whether it may be spent now: not after its time, nor, of a global limit, in an earlier window into which the region's
     * clock was set back. A region's own counter stands still until the clock has caught up, and what was leased of it with it.
     */
    boolean isUsable(long nowMicros) {
        return nowMicros < untilMicros && nowMicros >= fromMicros;
    }

    boolean spend(long cost) {
        if (units < cost) {
            return false;
        }
        units -= cost;
        return true;
    }

    void putBack(long cost) {
        units += cost;
    }

    /** The counter it was taken from is gone: it may be spent, since it was counted, but nobody would take it back. */
    void invalidate() {
        counterGone = true;
    }

    /** The request that gives {@code cost} of them back to the region; null if the counter is gone. */
    public CounterRequest.@Nullable Refund refund(long cost) {
        return counterGone ? null : new CounterRequest.Refund(limit, cost, takenMicros);
    }

    CounterRequest.@Nullable Refund refund() {
        long rest = units;
        units = 0;
        return rest == 0 ? null : refund(rest);
    }
}
