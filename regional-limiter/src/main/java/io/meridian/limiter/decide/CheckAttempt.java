package io.meridian.limiter.decide;

import io.meridian.limiter.decide.CheckResult.DecidedBy;
import io.meridian.limiter.lease.GrantWaits;
import io.meridian.limiter.lease.LeaseTable;
import io.meridian.limiter.region.Ports.LeaderContact;
import io.meridian.model.algorithm.CounterState;
import io.meridian.model.algorithm.Outcome.Standing;
import io.meridian.model.decide.Decision;
import io.meridian.model.decide.Evaluated;
import io.meridian.model.decide.MultiLimit;
import io.meridian.model.lease.Ask;
import io.meridian.model.lease.Held;
import io.meridian.model.lease.Lease;
import io.meridian.model.lease.Told;
import io.meridian.model.match.Limit;
import io.meridian.model.policy.Coordination;
import io.meridian.model.policy.OnExhausted;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One check on its way: which of its limits leases cover, what is asked of the region for the rest, and what each limit
 * said. Spends from all leases or from none.
 */
final class CheckAttempt {
    private final List<Limit> limits;
    private final LeaseTable table;
    private final Consumer<Ask.GiveBack> returns;
    private final LeaderContact centre;
    private final Lease[] leases;
    private final @Nullable Held[] spent;
    private final @Nullable Evaluated[] said;
    private final DecidedBy[] decidedBy;
    private final List<Ask> asks;
    /** For each ask, the place of its limit. */
    private final int[] places;

    /**
     * @param returns takes what must go back to the region
     */
    CheckAttempt(List<Limit> limits, LeaseTable table, LeaderContact centre, Consumer<Ask.GiveBack> returns) {
        this.limits = limits;
        this.table = table;
        this.centre = centre;
        this.returns = returns;
        this.leases = new Lease[limits.size()];
        this.spent = new Held[limits.size()];
        this.said = new Evaluated[limits.size()];
        this.decidedBy = new DecidedBy[limits.size()];
        this.asks = new ArrayList<>(limits.size());
        this.places = new int[limits.size()];
        for (int i = 0; i < leases.length; i++) {
            leases[i] = table.of(limits.get(i));
        }
        Arrays.fill(decidedBy, DecidedBy.LEASE);
    }

    /** What the region must be asked; nothing if memory decides. */
    List<Ask> prepare(long nowMicros) {
        if (recall(nowMicros)) {
            report(nowMicros);
        } else {
            spend(nowMicros);
        }
        return asks;
    }

    List<Ask> asks() {
        return asks;
    }

    /** The limits that were asked for and must not be decided without the region. */
    @Nullable Limit failsClosed() {
        for (Ask ask : asks) {
            if (ask instanceof Ask.Take && ask.limit().policy().enforcement().failsClosed()) {
                return ask.limit();
            }
        }
        return null;
    }

    /** Learns the answers of the region. */
    void told(List<Told> told, long nowMicros) {
        for (int i = 0; i < asks.size(); i++) {
            int place = places[i];
            Told each = told.get(i);
            boolean lasts = !GrantWaits.mayBeGranted(asks.get(i).limit(), each, centre);
            if (asks.get(i) instanceof Ask.Peek peek && !each.admitted() && lasts) {
                leases[place].wouldRefuse(peek.limit(), peek.cost(), each, nowMicros);
            }
            if (asks.get(i) instanceof Ask.Take take) {
                Ask.GiveBack before = leases[place].told(take, each, nowMicros, lasts);
                if (before != null) {
                    returns.accept(before);
                }
                if (each.ahead() > 0) {
                    table.holding(leases[place], each.ahead());
                }
            }
            say(place, each.shared() == null ? DecidedBy.REGION : DecidedBy.GLOBAL, each);
        }
        undoIfRefused(nowMicros);
    }

    /** Takes the answers of the fallback. */
    void fellBack(List<Told> told, long nowMicros) {
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

    CheckResult.Decided ruling(long nowMicros) {
        List<Evaluated> evaluated = new ArrayList<>(said.length);
        for (Evaluated each : said) {
            if (each == null) {
                throw new IllegalStateException("a limit of " + limits + " has not answered");
            }
            evaluated.add(each);
        }
        Decision decision = MultiLimit.compose(evaluated);
        return new CheckResult.Decided(decision, List.of(decidedBy), nowMicros);
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
                ask(i, new Ask.Peek(limit, needed(limit)));
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
                ask(i, new Ask.Peek(limit, limit.unitCost()));
                continue;
            }
            spent[i] = leases[i].spend(limit, limit.cost(), nowMicros);
            if (spent[i] == null) {
                ask(i, leases[i].ask(limit, limit.cost(), overdraft(limit, centre)));
            } else {
                said[i] = evaluated(limit, true, standing(i, nowMicros), 0);
            }
        }
    }

    private void ask(int place, Ask ask) {
        places[asks.size()] = place;
        asks.add(ask);
    }

    private void say(int place, DecidedBy by, Told told) {
        Standing standing = told.standing();
        Standing ours = told.ahead() == 0
                ? standing
                : new Standing(standing.limit(), standing.remaining() + told.ahead(), standing.resetAtMicros());
        said[place] = evaluated(limits.get(place), told.admitted(), ours, told.waitMicros());
        decidedBy[place] = by;
    }

    private void undoIfRefused(long nowMicros) {
        for (Evaluated each : said) {
            if (each != null && each.refuses()) {
                undo(nowMicros);
                return;
            }
        }
    }

    private void undo(long nowMicros) {
        for (int i = 0; i < leases.length; i++) {
            Held held = spent[i];
            Limit limit = limits.get(i);
            if (held == null) {
                continue;
            }
            spent[i] = null;
            if (!leases[i].putBack(held, limit.cost(), nowMicros)) {
                Ask.GiveBack back = held.giveBack(limit.cost());
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
        return known != null ? known : new Standing(limit.terms().capacity(), 0, nowMicros);
    }

    private void unanswered() {
        for (int i = 0; i < asks.size(); i++) {
            if (asks.get(i) instanceof Ask.Take take) {
                leases[places[i]].unanswered(take);
            }
        }
    }

    private static long needed(Limit limit) {
        return Math.max(limit.cost(), limit.unitCost());
    }

    private static Evaluated evaluated(Limit limit, boolean admitted, Standing standing, long waitMicros) {
        return new Evaluated(limit, admitted, standing, waitMicros, CounterState.UNTOUCHED);
    }

    private static final long PERCENT = 100;


    static long overdraft(Limit limit, LeaderContact centre) {
        Coordination coordination = limit.policy().coordination();
        if (coordination.onExhausted() instanceof OnExhausted.Deny || centre.isHeard(limit)) {
            return 0;
        }
        return coordination.onExhausted() instanceof OnExhausted.Overdraft some
                ? limit.terms().capacity() * some.percent() / PERCENT
                : Ask.Take.LOCAL;
    }
}
