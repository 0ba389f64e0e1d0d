package io.meridian.model.lease;

import io.meridian.model.algorithm.Outcome;
import io.meridian.model.algorithm.Outcome.Standing;
import io.meridian.model.algorithm.Quota;
import io.meridian.model.counter.CounterReply;
import io.meridian.model.counter.CounterRequest;
import io.meridian.model.match.Limit;
import io.meridian.model.usage.UsageCount;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Lease of one instance on one limit: units to spend without a request to the region, cached refusals, the counter's last known standing, and
 * the demand by which it leases ahead. What was learnt under another quota is forgotten. Thread-safe.
 */
public final class Lease {
    /** Costs whose refusals are remembered; of one more the oldest is forgotten. */
    private static final int REFUSALS_MAX = 4;

    private final LeaseRules rules;
    private final DemandEstimate demand;
    private @Nullable Quota quota;
    private @Nullable LeasedUnits held;
    private List<Refusal> refusals = List.of();
    private @Nullable Standing standing;
    /** When the last reply came. */
    private long repliedMicros;

    private @Nullable Seen seen;
    private boolean refilling;
    /** Demand since the last request to the region. */
    private long requested;

    public Lease(LeaseRules rules) {
        this.rules = rules;
        this.demand = new DemandEstimate();
    }

    /** A remembered refusal: {@code cost} was refused, and the counter so stood. */
    public record Refusal(long cost, Standing standing, long fitsAtMicros, long untilMicros) {
        /** After how long the cost would fit. */
        public long waitMicros(long nowMicros) {
            return fitsAtMicros == Outcome.NEVER ? Outcome.NEVER : Math.max(1, fitsAtMicros - nowMicros);
        }

        /** Whether {@code other} is refused alike and would fit at the same time. */
        private boolean isThatOf(long other, Limit limit, long nowMicros) {
            boolean alike = other == cost
                    || (other > cost && fitsAtMicros == Outcome.NEVER)
                    || (other > cost
                            && isOneForAll(limit)
                            && other <= limit.quota().capacity());
            return alike && nowMicros < Math.min(untilMicros, fitsAtMicros);
        }

        /** Where a window begins anew, all that fits into it fits again at once. */
        private static boolean isOneForAll(Limit limit) {
            return limit.policy().limitSpec().algorithm().isWindowed();
        }
    }

    /** Takes {@code cost} from what is held, or nothing if that does not cover it. */
    public synchronized @Nullable LeasedUnits spend(Limit limit, long cost, long nowMicros) {
        demand.note(cost, rules.horizonMicros(limit), nowMicros);
        requested += cost;
        LeasedUnits current = usable(limit.quota(), nowMicros);
        return current != null && current.spend(cost) ? current : null;
    }

    /** Puts back what was spent; false if it is no longer held and must go back to the region. */
    public synchronized boolean putBack(LeasedUnits spent, long cost, long nowMicros) {
        if (held != spent || !spent.isUsable(nowMicros)) {
            return false;
        }
        spent.putBack(cost);
        return true;
    }

    /** The refusal that also holds for {@code cost}, its wait included, or null if the region must decide. */
    public synchronized @Nullable Refusal refusal(Limit limit, long cost, long nowMicros) {
        List<Refusal> known = Objects.equals(limit.quota(), quota) ? refusals : List.of();
        for (int i = 0; i < known.size(); i++) {
            if (known.get(i).isThatOf(cost, limit, nowMicros)) {
                requested += cost;
                return known.get(i);
            }
        }
        return null;
    }

    /** The counter as this instance knows it, with what it holds; null if it knows nothing recent. */
    public synchronized @Nullable Standing standing(Limit limit, long nowMicros) {
        Standing last = standing;
        if (last == null || !Objects.equals(limit.quota(), quota)) {
            return null;
        }
        LeasedUnits current = usable(limit.quota(), nowMicros);
        if (current != null) {
            return new Standing(last.limit(), last.remaining() + current.units(), last.resetAtMicros());
        }
        return nowMicros < repliedMicros + rules.memoryMicros() ? last : null;
    }

    /**
     * The next request to the region, and how much it leases ahead: nothing for a cold key, or while another request already does.
     *
     * @param overdraft what the region may take beyond its grant
     */
    public synchronized CounterRequest.Take request(Limit limit, long cost, long overdraft) {
        long horizonMicros = rules.horizonMicros(limit);
        long ahead = refilling || horizonMicros == 0 ? 0 : demand.ahead(cost);
        refilling |= ahead > 0;
        long requestedSince = Math.max(cost, requested);
        requested = 0;
        return new CounterRequest.Take(limit, cost, ahead, horizonMicros, requestedSince, overdraft);
    }

    /**
     * A request for {@code units} that a client will spend: {@code cost} at once, the rest as a lease ahead within {@code ttlMicros}. What the
     * client gets is not held here; this instance only notes the demand and what the reply says of the counter.
     */
    public synchronized CounterRequest.Take requestForClient(
            Limit limit, long cost, long units, long ttlMicros, long overdraft) {
        long horizonMicros = Math.min(ttlMicros, rules.horizonMicros(limit));
        long ahead = horizonMicros == 0 ? 0 : units - cost;
        long requestedSince = Math.max(units, requested);
        requested = 0;
        return new CounterRequest.Take(limit, cost, ahead, horizonMicros, requestedSince, overdraft);
    }

    /** Notes what the reply to a client's request says of the counter: its standing, or a refusal. */
    public synchronized void applyForClient(
            CounterRequest.Take take, CounterReply reply, long nowMicros, boolean lasts) {
        under(take.limit().quota());
        standing = reply.standing();
        repliedMicros = nowMicros;
        see(take.limit(), reply.globalUsage(), nowMicros);
        if (!reply.admitted() && lasts) {
            remember(refusal(take.limit(), take.cost(), reply, nowMicros));
        }
    }

    /**
     * Applies the region's reply to a request; what was held before and cannot be merged is returned, to be given back.
     *
     * @param lasts whether a refusal is worth remembering; not where a grant may come at any moment
     */
    public synchronized CounterRequest.@Nullable Refund apply(
            CounterRequest.Take take, CounterReply reply, long nowMicros, boolean lasts) {
        refilling &= take.ahead() == 0;
        under(take.limit().quota());
        standing = reply.standing();
        repliedMicros = nowMicros;
        see(take.limit(), reply.globalUsage(), nowMicros);
        if (reply.admitted() || !lasts) {
            refusals = List.of();
        } else {
            remember(refusal(take.limit(), take.cost(), reply, nowMicros));
        }
        LeasedUnits before = held;
        if (reply.ahead() > 0) {
            held = new LeasedUnits(take.limit(), reply.ahead(), nowMicros, reply.untilMicros());
        } else if (before != null && !before.isUsable(nowMicros)) {
            // The region's clock was set: what is held of another window than that of this reply would be reported
            // as of this one.
            held = null;
        }
        return before == null || before == held ? null : refunded(before);
    }

    /** Caches that {@code cost}, which was only evaluated, is refused. */
    public synchronized void wouldRefuse(Limit limit, long cost, CounterReply reply, long nowMicros) {
        under(limit.quota());
        remember(refusal(limit, cost, reply, nowMicros));
    }

    private void under(Quota now) {
        if (!Objects.equals(now, quota)) {
            quota = now;
            refusals = List.of();
            standing = null;
        }
    }

    private Refusal refusal(Limit limit, long cost, CounterReply reply, long nowMicros) {
        return new Refusal(
                cost,
                reply.standing(),
                reply.waitMicros() == Outcome.NEVER ? Outcome.NEVER : nowMicros + reply.waitMicros(),
                nowMicros + rules.memoryMicros(limit));
    }

    private void remember(Refusal refusal) {
        List<Refusal> next = new ArrayList<>(REFUSALS_MAX);
        next.add(refusal);
        for (Refusal other : refusals) {
            if (other.cost != refusal.cost && next.size() < REFUSALS_MAX) {
                next.add(other);
            }
        }
        refusals = List.copyOf(next);
    }

    private void see(Limit limit, CounterReply.@Nullable GlobalUsage usage, long nowMicros) {
        if (usage != null) {
            long start = limit.quota().window().startMicros(nowMicros);
            seen = new Seen(limit, start, new UsageCount(usage.taken(), usage.returned()));
        }
    }

    /** The request went unanswered. */
    public synchronized void unanswered(CounterRequest.Take take) {
        refilling &= take.ahead() == 0;
    }

    /** Forgets cached refusals and the standing, because something was given back. */
    public synchronized void forget() {
        refusals = List.of();
        repliedMicros = 0;
    }

    /** Leased units that can be spent now. */
    public synchronized long units(Limit limit, long nowMicros) {
        LeasedUnits current = usable(limit.quota(), nowMicros);
        return current == null ? 0 : current.units();
    }

    /** Gives up what is held once it may no longer be spent, or {@code atOnce}; null if there is nothing to give back. */
    public synchronized CounterRequest.@Nullable Refund release(long nowMicros, boolean atOnce) {
        LeasedUnits current = held;
        if (current == null || (!atOnce && current.isUsable(nowMicros) && current.units() > 0)) {
            return null;
        }
        held = null;
        return refunded(current);
    }

    /** Refund of the rest of a lease. It forgets remembered refusals, because returned units may make room. */
    private CounterRequest.@Nullable Refund refunded(LeasedUnits rest) {
        CounterRequest.Refund back = rest.refund();
        if (back != null) {
            refusals = List.of();
        }
        return back;
    }

    /** The counter it was leased from is gone, and with it what was known of the counter. */
    public synchronized void invalidate() {
        if (held != null) {
            held.invalidate();
        }
        forget();
    }

    /**
     * Usage of a global limit in the region as of its last reply to this instance.
     *
     * @param startMicros the start of the window
     */
    public record Seen(Limit limit, long startMicros, UsageCount count) {}

    public synchronized @Nullable Seen seen() {
        return seen;
    }

    /** Whether anything is held that will have to be spent or given back. */
    public synchronized boolean holds() {
        return held != null;
    }

    private @Nullable LeasedUnits usable(Quota under, long nowMicros) {
        LeasedUnits current = held;
        boolean usable = current != null
                && current.isUsable(nowMicros)
                && Objects.equals(current.limit().quota(), under);
        return usable ? current : null;
    }

    /**
     * Estimate of the demand within a horizon: a sum in which the past fades exponentially, by the horizon itself. A few requests within it
     * make a key hot.
     */
    private static final class DemandEstimate {
        /** From so many times its own cost within a horizon on, a request leases ahead. */
        private static final double HOT = 3;

        private double units;
        private long atMicros;

        void note(long cost, long horizonMicros, long nowMicros) {
            if (horizonMicros == 0) {
                return;
            }
            double faded = Math.max(0, nowMicros - atMicros) / (double) horizonMicros;
            units = units * Math.exp(-faded) + cost;
            atMicros = nowMicros;
        }

        long ahead(long cost) {
            return units >= HOT * cost ? (long) units : 0;
        }
    }
}
