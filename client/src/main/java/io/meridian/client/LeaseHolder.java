package io.meridian.client;

import io.meridian.client.CheckDecision.Head;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Leases of one question: the units that the client holds, the demand that decides whether and how much it leases, and the checks that wait
 * for a lease that is on its way. Holds two leases at most, so that a new one can come before the old one is used up.
 */
final class LeaseHolder {
    /** Times the cost in the usable time of a lease from which on a question is hot: with less, a lease and its return save no calls. */
    private static final double HOT = 20;

    private static final long RELEARN_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final double SURE = 0.8;
    private static final long RETURN_AHEAD_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Checks that wait for one lease; one more is sent by itself. */
    static final int WAITERS_MAX = 1_000;

    private volatile @Nullable HeldLease first;
    private volatile @Nullable HeldLease second;
    private boolean asking;
    private List<Waiter> waiters = new ArrayList<>();
    private double demand;
    private long demandNanos;
    private long remoteUntilNanos;
    private boolean remote;
    private final long ttlNanos;
    /** From the arrival of a lease to its return: algorithms with short terms grant less than what was asked for. */
    private long usableNanos;

    private long usableLearntNanos;

    LeaseHolder(long ttlNanos) {
        this.ttlNanos = ttlNanos;
        this.usableNanos = longestUseNanos();
    }

    private long longestUseNanos() {
        return ttlNanos - Math.min(RETURN_AHEAD_NANOS, ttlNanos / 4);
    }

    /** Units of one lease. */
    static final class HeldLease {
        final String id;
        final Head head;
        private final long granted;
        private final long cost;
        private final long fromNanos;
        private final long untilNanos;
        private final AtomicLong left;
        /** Units left when the demand was last noted. */
        private long notedLeft;

        /** From when on it is given back: the call must arrive before the end. */
        private final long returnNanos;

        /** @param cost spent by the check that asked */
        HeldLease(String id, Head head, long granted, long cost, long fromNanos, long ttlNanos) {
            this.id = id;
            this.head = head;
            this.granted = granted;
            this.cost = cost;
            this.fromNanos = fromNanos;
            this.untilNanos = fromNanos + ttlNanos;
            this.returnNanos = untilNanos - Math.min(RETURN_AHEAD_NANOS, ttlNanos / 4);
            this.left = new AtomicLong(granted - cost);
            this.notedLeft = granted - cost;
        }

        /** The decision on a check that this lease covers, or null. */
        @Nullable CheckDecision spend(long units, long nowNanos) {
            if (nowNanos - untilNanos >= 0) {
                return null;
            }
            long now = left.get();
            while (now >= units) {
                if (left.compareAndSet(now, now - units)) {
                    return CheckDecision.leased(head, granted - cost - now + units);
                }
                now = left.get();
            }
            return null;
        }

        boolean isLow() {
            return left.get() * 4 < granted;
        }

        private boolean isEnding(long nowNanos) {
            return left.get() <= 0 || nowNanos - returnNanos >= 0;
        }

        /** Ends it: nothing more is spent from it. */
        long close() {
            return Math.max(0, left.getAndSet(Long.MIN_VALUE / 2));
        }

        private long used() {
            long now = Math.max(0, left.get());
            long used = Math.max(0, notedLeft - now);
            notedLeft = now;
            return used;
        }
    }

    /** A check that waits for a lease. */
    record Waiter(CheckRequest request, CompletableFuture<CheckDecision> answer) {}

    /** Way in which a check that no lease covers is decided. */
    enum Next {
        /** It asks for a lease. */
        ASK,
        /** It waits for the lease that another asks for. */
        WAIT,
        /** It is sent as a check. */
        SEND
    }

    @Nullable CheckDecision spend(long cost, long nowNanos) {
        HeldLease lease = first;
        CheckDecision decision = lease == null ? null : lease.spend(cost, nowNanos);
        if (decision != null) {
            return decision;
        }
        lease = second;
        return lease == null ? null : lease.spend(cost, nowNanos);
    }

    /** Whether what is held ends soon, so that a check should ask for more. */
    boolean isLow() {
        HeldLease newest = second != null ? second : first;
        return newest == null || newest.isLow();
    }

    boolean holds() {
        return first != null || second != null;
    }

    synchronized Next next(Waiter check, long nowNanos, boolean covered) {
        note(covered ? 0 : check.request.cost(), nowNanos);
        if (nowNanos - usableLearntNanos > RELEARN_NANOS) {
            // The last lease may have been cut short by the end of a window.
            usableNanos = longestUseNanos();
            usableLearntNanos = nowNanos;
        }
        if (remote && nowNanos - remoteUntilNanos < 0) {
            return Next.SEND;
        }
        remote = false;
        if (asking) {
            if (covered || waiters.size() >= WAITERS_MAX) {
                return Next.SEND;
            }
            waiters.add(check);
            return Next.WAIT;
        }
        if (demandOfALease() < HOT * check.request.cost()) {
            return Next.SEND;
        }
        asking = true;
        return Next.ASK;
    }

    /** The units that are spent before the lease has to be returned, rather too few than too many: what is used up needs no return. */
    synchronized long wanted(long cost, long unitsMax) {
        return Math.max(cost, Math.min(unitsMax, (long) (SURE * demandOfALease()) + cost));
    }

    private double demandOfALease() {
        return demand * usableNanos / ttlNanos;
    }

    private void note(long cost, long nowNanos) {
        double faded = Math.max(0, nowNanos - demandNanos) / (double) ttlNanos;
        HeldLease one = first;
        HeldLease two = second;
        long used = (one == null ? 0 : one.used()) + (two == null ? 0 : two.used());
        demand = demand * Math.exp(-faded) + cost + used;
        demandNanos = nowNanos;
    }

    /** Takes in a lease; the one that has to make room for it is returned, to be given back. */
    synchronized @Nullable HeldLease hold(HeldLease lease, long nowNanos) {
        note(0, nowNanos);
        usableNanos = Math.max(1, lease.returnNanos - lease.fromNanos);
        usableLearntNanos = nowNanos;
        HeldLease out = first;
        if (second != null) {
            first = second;
            second = lease;
            return out;
        }
        if (out == null) {
            first = lease;
        } else {
            second = lease;
        }
        return null;
    }

    /** Leasing is of no use until then. */
    synchronized void sendUntil(long nanos) {
        remote = true;
        remoteUntilNanos = nanos;
    }

    /** Ends the asking; the checks that waited for it. */
    synchronized List<Waiter> settle() {
        asking = false;
        List<Waiter> waited = waiters;
        waiters = new ArrayList<>();
        return waited;
    }

    /** Takes out leases that are used up or about to end. */
    synchronized List<HeldLease> ending(long nowNanos) {
        List<HeldLease> ending = new ArrayList<>(2);
        HeldLease one = first;
        HeldLease two = second;
        if (one != null && one.isEnding(nowNanos)) {
            note(0, nowNanos);
            ending.add(one);
            one = null;
        }
        if (two != null && two.isEnding(nowNanos)) {
            note(0, nowNanos);
            ending.add(two);
            two = null;
        }
        if (!ending.isEmpty()) {
            first = one == null ? two : one;
            second = one == null ? null : two;
        }
        return ending;
    }

    /** Takes out all. */
    synchronized List<HeldLease> all() {
        List<HeldLease> all = new ArrayList<>(2);
        if (first != null) {
            all.add(first);
        }
        if (second != null) {
            all.add(second);
        }
        first = null;
        second = null;
        return all;
    }
}
