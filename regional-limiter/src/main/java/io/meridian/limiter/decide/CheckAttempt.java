package io.meridian.limiter.decide;

import io.meridian.limiter.decide.CheckResult.DecidedBy;
import io.meridian.limiter.decide.CheckResult.LimitResult;
import io.meridian.limiter.lease.GrantWaits;
import io.meridian.limiter.lease.LeaseTable;
import io.meridian.limiter.region.Ports.LeaderContact;
import io.meridian.model.algorithm.Outcome.Standing;
import io.meridian.model.counter.CounterReply;
import io.meridian.model.counter.CounterRequest;
import io.meridian.model.lease.Lease;
import io.meridian.model.lease.LeasedUnits;
import io.meridian.model.match.Limit;
import io.meridian.model.policy.Coordination;
import io.meridian.model.policy.Coordination.OnExhausted;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One check in progress: the limits that leases cover, the requests to the region for the others, and the result of each. Spends from
 * all leases or from none.
 */
final class CheckAttempt {
    private static final long PERCENT = 100;

    private final LeaseTable table;
    private final LeaderContact leader;
    private final Consumer<CounterRequest.Refund> refunds;
    private final Part[] parts;
    private final List<CounterRequest> requests;

    /** One limit of the check: what was spent from its lease or is asked of the region, and the result. */
    private static final class Part {
        final Limit limit;
        final Lease lease;

        @Nullable LeasedUnits spent;

        @Nullable CounterRequest request;

        @Nullable LimitResult result;

        Part(Limit limit, Lease lease) {
            this.limit = limit;
            this.lease = lease;
        }

        long needed() {
            return Math.max(limit.cost(), limit.unitCost());
        }

        /** The counter as the lease knows it; nothing is known of it for a moment while policies change. */
        Standing standing(long nowMicros) {
            Standing known = lease.standing(limit, nowMicros);
            return known != null ? known : new Standing(limit.quota().capacity(), 0, nowMicros);
        }

        boolean refuses() {
            return result != null && result.evaluated().refuses();
        }
    }

    /** @param refunds takes what must go back to the region */
    CheckAttempt(List<Limit> limits, LeaseTable table, LeaderContact leader, Consumer<CounterRequest.Refund> refunds) {
        this.table = table;
        this.leader = leader;
        this.refunds = refunds;
        this.parts = new Part[limits.size()];
        this.requests = new ArrayList<>(parts.length);
        for (int i = 0; i < parts.length; i++) {
            parts[i] = new Part(limits.get(i), table.of(limits.get(i)));
        }
    }

    /** The requests to the region; none if memory decides. */
    List<CounterRequest> prepare(long nowMicros) {
        if (recall(nowMicros)) {
            report(nowMicros);
        } else {
            spend(nowMicros);
        }
        return requests;
    }

    List<CounterRequest> requests() {
        return requests;
    }

    /** The first requested limit that must not be decided without the region. */
    @Nullable Limit failsClosed() {
        for (CounterRequest request : requests) {
            if (request instanceof CounterRequest.Take
                    && request.limit().policy().enforcement().failsClosed()) {
                return request.limit();
            }
        }
        return null;
    }

    /** Takes the region's replies, in the order of the requests. */
    void replied(List<CounterReply> replies, long nowMicros) {
        int next = 0;
        for (Part part : parts) {
            if (part.request != null) {
                replied(part, part.request, replies.get(next++), nowMicros);
            }
        }
        undoIfRefused(nowMicros);
    }

    private void replied(Part part, CounterRequest request, CounterReply reply, long nowMicros) {
        boolean lasts = !GrantWaits.mayBeGranted(request.limit(), reply, leader);
        if (request instanceof CounterRequest.Peek peek && !reply.admitted() && lasts) {
            part.lease.wouldRefuse(peek.limit(), peek.cost(), reply, nowMicros);
        }
        if (request instanceof CounterRequest.Take take) {
            CounterRequest.Refund before = part.lease.apply(take, reply, nowMicros, lasts);
            if (before != null) {
                refunds.accept(before);
            }
            if (reply.ahead() > 0) {
                table.holding(part.lease, reply.ahead());
            }
        }
        decide(part, reply, DecidedBy.REGION);
    }

    /** Takes the fallback's replies. */
    void fellBack(List<CounterReply> replies, long nowMicros) {
        unanswered();
        int next = 0;
        for (Part part : parts) {
            if (part.request != null) {
                decide(part, replies.get(next++), DecidedBy.FALLBACK);
            }
        }
        undoIfRefused(nowMicros);
    }

    /** Gives up: nothing was decided and nothing is spent. */
    void abandon(long nowMicros) {
        unanswered();
        undo(nowMicros);
    }

    CheckResult.Decided result(long nowMicros) {
        List<LimitResult> results = new ArrayList<>(parts.length);
        for (Part part : parts) {
            if (part.result == null) {
                throw new IllegalStateException("limit " + part.limit + " has no result");
            }
            results.add(part.result);
        }
        return CheckResult.Decided.of(results, nowMicros);
    }

    /** Takes remembered refusals as results; whether one of them refuses the check. */
    private boolean recall(long nowMicros) {
        boolean refused = false;
        for (Part part : parts) {
            Lease.Refusal refusal = part.lease.refusal(part.limit, part.needed(), nowMicros);
            if (refusal != null) {
                part.result =
                        LimitResult.remembered(part.limit, false, refusal.standing(), refusal.waitMicros(nowMicros));
                refused |= !part.limit.policy().enforcement().isShadow();
            }
        }
        return refused;
    }

    /** The check is refused: the other limits are only reported, from memory where it is recent. */
    private void report(long nowMicros) {
        for (Part part : parts) {
            if (part.result != null) {
                continue;
            }
            Standing known = part.lease.standing(part.limit, nowMicros);
            boolean fits = known != null && known.remaining() >= part.needed();
            if (known == null || (!fits && !part.limit.policy().coordination().isEscrow())) {
                // For how long it is refused only the region knows; a grant may come at any moment.
                request(part, new CounterRequest.Peek(part.limit, part.needed()));
            } else {
                part.result = LimitResult.remembered(part.limit, fits, known, 0);
            }
        }
    }

    private void spend(long nowMicros) {
        for (Part part : parts) {
            if (part.result != null) {
                continue;
            }
            Limit limit = part.limit;
            if (limit.cost() == 0) {
                request(part, new CounterRequest.Peek(limit, limit.unitCost()));
                continue;
            }
            part.spent = part.lease.spend(limit, limit.cost(), nowMicros);
            if (part.spent == null) {
                request(part, part.lease.request(limit, limit.cost(), overdraft(limit, leader)));
            } else {
                part.result = LimitResult.remembered(limit, true, part.standing(nowMicros), 0);
            }
        }
    }

    /** Units that the region may take beyond its grant while it is cut off from the leader, by the policy's on_exhausted. */
    static long overdraft(Limit limit, LeaderContact leader) {
        Coordination coordination = limit.policy().coordination();
        if (coordination.onExhausted() instanceof OnExhausted.Deny || leader.isReachable(limit)) {
            return 0;
        }
        return coordination.onExhausted() instanceof OnExhausted.Overdraft some
                ? limit.quota().capacity() * some.percent() / PERCENT
                : CounterRequest.Take.LOCAL;
    }

    private void request(Part part, CounterRequest request) {
        part.request = request;
        requests.add(request);
    }

    private static void decide(Part part, CounterReply reply, DecidedBy source) {
        Standing standing = reply.standing();
        Standing ours = reply.ahead() == 0
                ? standing
                : new Standing(standing.limit(), standing.remaining() + reply.ahead(), standing.resetAtMicros());
        part.result = LimitResult.of(part.limit, reply, ours, source);
    }

    private void undoIfRefused(long nowMicros) {
        for (Part part : parts) {
            if (part.refuses()) {
                undo(nowMicros);
                return;
            }
        }
    }

    private void undo(long nowMicros) {
        for (Part part : parts) {
            LeasedUnits held = part.spent;
            if (held == null) {
                continue;
            }
            part.spent = null;
            if (!part.lease.putBack(held, part.limit.cost(), nowMicros)) {
                CounterRequest.Refund back = held.refund(part.limit.cost());
                if (back != null) {
                    refunds.accept(back);
                }
            }
            part.result = LimitResult.remembered(part.limit, true, part.standing(nowMicros), 0);
        }
    }

    private void unanswered() {
        for (Part part : parts) {
            if (part.request instanceof CounterRequest.Take take) {
                part.lease.unanswered(take);
            }
        }
    }
}
