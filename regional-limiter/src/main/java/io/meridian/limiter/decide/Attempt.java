package io.meridian.limiter.decide;

import io.meridian.model.algorithm.CounterState;
import io.meridian.model.algorithm.Outcome.Standing;
import io.meridian.model.counter.CounterReply;
import io.meridian.model.counter.CounterRequest;
import io.meridian.model.decision.Decision.LimitDecision;
import io.meridian.model.decision.Decision;
import io.meridian.model.decision.MultiLimit;
import io.meridian.model.lease.Lease;
import io.meridian.model.lease.LeasedUnits;
import io.meridian.model.match.Limit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One check on its way: which of its limits leases cover, what is asked of the region for the rest, and what each limit
 * said. Spends from all leases or from none.
 */
final class Attempt {
    private final List<Limit> limits;
    private final LeaseTable table;
    private final Consumer<CounterRequest.Refund> returns;
    private final Centre centre;
    private final Lease[] leases;
    private final @Nullable LeasedUnits[] spent;
    private final @Nullable LimitDecision[] said;
    private final DecidedBy[] decidedBy;
    private final List<CounterRequest> asks;
    /** For each ask, the place of its limit. */
    private final int[] places;

    /**
     * @param returns takes what must go back to the region
     */
    Attempt(List<Limit> limits, LeaseTable table, Centre centre, Consumer<CounterRequest.Refund> returns) {
        this.limits = limits;
        this.table = table;
        this.centre = centre;
        this.returns = returns;
        this.leases = new Lease[limits.size()];
        this.spent = new LeasedUnits[limits.size()];
        this.said = new LimitDecision[limits.size()];
        this.decidedBy = new DecidedBy[limits.size()];
        this.asks = new ArrayList<>(limits.size());
        this.places = new int[limits.size()];
        for (int i = 0; i < leases.length; i++) {
            leases[i] = table.of(limits.get(i));
        }
        Arrays.fill(decidedBy, DecidedBy.LEASE);
    }

    /** What the region must be asked; nothing if memory decides. */
    List<CounterRequest> prepare(long nowMicros) {
        if (recall(nowMicros)) {
            report(nowMicros);
        } else {
            spend(nowMicros);
        }
        return asks;
    }

    List<CounterRequest> asks() {
        return asks;
    }

    /** The limits that were asked for and must not be decided without the region. */
    @Nullable Limit failsClosed() {
        for (CounterRequest ask : asks) {
            if (ask instanceof CounterRequest.Take && ask.limit().policy().enforcement().failsClosed()) {
                return ask.limit();
            }
        }
        return null;
    }

    /** Learns the answers of the region. */
    void told(List<CounterReply> told, long nowMicros) {
        for (int i = 0; i < asks.size(); i++) {
            int place = places[i];
            CounterReply each = told.get(i);
            boolean lasts = !GrantWaits.mayBeGranted(asks.get(i).limit(), each, centre);
            if (asks.get(i) instanceof CounterRequest.Peek peek && !each.admitted() && lasts) {
                leases[place].wouldRefuse(peek.limit(), peek.cost(), each, nowMicros);
            }
            if (asks.get(i) instanceof CounterRequest.Take take) {
                CounterRequest.Refund before = leases[place].apply(take, each, nowMicros, lasts);
                if (before != null) {
                    returns.accept(before);
                }
                if (each.ahead() > 0) {
                    table.holding(leases[place], each.ahead());
                }
            }
            say(place, each.globalUsage() == null ? DecidedBy.REGION : DecidedBy.GLOBAL, each);
        }
        undoIfRefused(nowMicros);
    }

    /** Takes the answers of the fallback. */
    void fellBack(List<CounterReply> told, long nowMicros) {
        unanswered();
        for (int i = 0; i < asks.size(); i++) {
            say(places[i], DecidedBy.FALLBACK, told.get(i));
        }
        undoIfRefused(nowMicros);
    }

    /** Gives up: nothing was decided and nothing is spent. */
    void abandon(long nowMicros) {
        unanswered();
        undo(nowMicros);
    }

    Ruling.Decided ruling(long nowMicros) {
        List<LimitDecision> evaluated = new ArrayList<>(said.length);
        for (LimitDecision each : said) {
            if (each == null) {
                throw new IllegalStateException("a limit of " + limits + " has not answered");
            }
            evaluated.add(each);
        }
        Decision decision = MultiLimit.compose(evaluated);
        return new Ruling.Decided(decision, List.of(decidedBy), nowMicros);
    }

    /** Fills in remembered refusals; whether one of them stands in the way. */
    private boolean recall(long nowMicros) {
        boolean refused = false;
        for (int i = 0; i < leases.length; i++) {
            Limit limit = limits.get(i);
            Lease.Refusal refusal = leases[i].refusal(limit, needed(limit), nowMicros);
            if (refusal != null) {
                said[i] = evaluated(limit, false, refusal.standing(), refusal.waitMicros(nowMicros));
                refused |= !limit.policy().enforcement().isShadow();
            }
        }
        return refused;
    }

    /** The check is refused: the other limits are only reported, from memory where it is recent. */
    private void report(long nowMicros) {
        for (int i = 0; i < leases.length; i++) {
            if (said[i] != null) {
                continue;
            }
            Limit limit = limits.get(i);
            Standing known = leases[i].standing(limit, nowMicros);
            boolean fits = known != null && known.remaining() >= needed(limit);
            if (known == null || (!fits && !limit.policy().coordination().isEscrow())) {
                // For how long it is refused only the region knows; a grant may come at any moment.
                ask(i, new CounterRequest.Peek(limit, needed(limit)));
            } else {
                said[i] = evaluated(limit, fits, known, 0);
            }
        }
    }

    private void spend(long nowMicros) {
        for (int i = 0; i < leases.length; i++) {
            Limit limit = limits.get(i);
            if (said[i] != null) {
                continue;
            }
            if (limit.cost() == 0) {
                ask(i, new CounterRequest.Peek(limit, limit.unitCost()));
                continue;
            }
            spent[i] = leases[i].spend(limit, limit.cost(), nowMicros);
            if (spent[i] == null) {
                ask(i, leases[i].request(limit, limit.cost(), Overdraft.of(limit, centre)));
            } else {
                said[i] = evaluated(limit, true, standing(i, nowMicros), 0);
            }
        }
    }

    private void ask(int place, CounterRequest ask) {
        places[asks.size()] = place;
        asks.add(ask);
    }

    private void say(int place, DecidedBy by, CounterReply told) {
        Standing standing = told.standing();
        Standing ours = told.ahead() == 0
                ? standing
                : new Standing(standing.limit(), standing.remaining() + told.ahead(), standing.resetAtMicros());
        said[place] = evaluated(limits.get(place), told.admitted(), ours, told.waitMicros());
        decidedBy[place] = by;
    }

    private void undoIfRefused(long nowMicros) {
        for (LimitDecision each : said) {
            if (each != null && each.refuses()) {
                undo(nowMicros);
                return;
            }
        }
    }

    private void undo(long nowMicros) {
        for (int i = 0; i < leases.length; i++) {
            LeasedUnits held = spent[i];
            Limit limit = limits.get(i);
            if (held == null) {
                continue;
            }
            spent[i] = null;
            if (!leases[i].putBack(held, limit.cost(), nowMicros)) {
                CounterRequest.Refund back = held.refund(limit.cost());
                if (back != null) {
                    returns.accept(back);
                }
            }
            said[i] = evaluated(limit, true, standing(i, nowMicros), 0);
        }
    }

    /** The counter as known; nothing is known of it for a moment while policies change. */
    private Standing standing(int place, long nowMicros) {
        Limit limit = limits.get(place);
        Standing known = leases[place].standing(limit, nowMicros);
        return known != null ? known : new Standing(limit.quota().capacity(), 0, nowMicros);
    }

    private void unanswered() {
        for (int i = 0; i < asks.size(); i++) {
            if (asks.get(i) instanceof CounterRequest.Take take) {
                leases[places[i]].unanswered(take);
            }
        }
    }

    private static long needed(Limit limit) {
        return Math.max(limit.cost(), limit.unitCost());
    }

    private static LimitDecision evaluated(Limit limit, boolean admitted, Standing standing, long waitMicros) {
        return new LimitDecision(limit, admitted, standing, waitMicros, CounterState.UNTOUCHED);
    }
}
