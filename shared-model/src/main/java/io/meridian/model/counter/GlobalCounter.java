package io.meridian.model.counter;

import io.meridian.model.algorithm.Outcome;
import io.meridian.model.algorithm.Outcome.Standing;
import io.meridian.model.algorithm.Outcome.TakenAhead;
import io.meridian.model.algorithm.Window;
import io.meridian.model.match.Limit;
import io.meridian.model.policy.Coordination.OnExhausted;
import io.meridian.model.usage.SharingMode;
import java.util.concurrent.TimeUnit;

/**
 * One request on a global limit applied to its state in the region: the specification of the region's script, as a pure function. A refused
 * take consumes nothing; in escrow it is recorded, because grants follow demand.
 *
 * @param state the state afterwards
 */
public record GlobalCounter(CounterReply reply, GlobalLimitState state) {
    /** An account outlives its window by so much. */
    public static final long KEPT_MICROS = TimeUnit.MINUTES.toMicros(10);

    /** A region that lacks a grant usually has it within so much. */
    public static final long GRANTED_WITHIN_MICROS = TimeUnit.SECONDS.toMicros(1);

    /** A request in a region without a floor. */
    public static GlobalCounter of(CounterRequest request, GlobalLimitState state, long nowMicros) {
        return of(request, state, nowMicros, FloorOffer.NONE);
    }

    public static GlobalCounter of(CounterRequest sent, GlobalLimitState state, long nowMicros, FloorOffer offer) {
        CounterRequest request = ofThisIncarnation(sent, state);
        Limit limit = request.limit();
        Window window = limit.quota().window();
        long start = window.startMicros(nowMicros);
        if (SharingMode.of(limit.policy()) == SharingMode.CONVERGE_RATE) {
            return new ConvergingRateCounter(request, state, window, start, nowMicros).apply();
        }
        AlignedWindow aligned = new AlignedWindow(limit, start, window.endMicros(start), nowMicros);
        WindowAccount known = state.account(start);
        if (SharingMode.of(limit.policy()) != SharingMode.ESCROW || known.isFloorDecided()) {
            return of(request, aligned, state, window);
        }
        // Only what is stored anyway stores the decision, too.
        WindowAccount decided = known.decideFloor(offer.of(start));
        GlobalCounter next = of(request, aligned, state.with(start, decided), window);
        boolean peeksAtNothing =
                request instanceof CounterRequest.Peek && !state.accounts().containsKey(start);
        boolean same = next.state.account(start).equals(decided) && !peeksAtNothing;
        return same ? new GlobalCounter(next.reply, state.withOthersOf(next.state, start)) : next;
    }

    /** A look at a take that its group may refuse: the reply that it would get. Only a counter may change, by usage elsewhere. */
    static GlobalCounter look(CounterRequest.Take take, GlobalLimitState state, long nowMicros, FloorOffer offer) {
        Limit limit = take.limit();
        Window window = limit.quota().window();
        long start = window.startMicros(nowMicros);
        if (SharingMode.of(limit.policy()) == SharingMode.CONVERGE_RATE) {
            CounterRequest.Peek peek = new CounterRequest.Peek(limit, take.cost());
            GlobalCounter looked = new ConvergingRateCounter(peek, state, window, start, nowMicros).apply();
            boolean opened = !state.accounts().containsKey(start);
            return opened ? new GlobalCounter(looked.reply, looked.state.without(start)) : looked;
        }
        AlignedWindow aligned = new AlignedWindow(limit, start, window.endMicros(start), nowMicros);
        WindowAccount known = state.account(start);
        boolean decides = SharingMode.of(limit.policy()) == SharingMode.ESCROW && !known.isFloorDecided();
        WindowAccount account = decides ? known.decideFloor(offer.of(start)) : known;
        return new GlobalCounter(aligned.peek(account, take.cost(), take.overdraft()), state);
    }

    private static GlobalCounter of(
            CounterRequest request, AlignedWindow aligned, GlobalLimitState state, Window window) {
        long start = aligned.start();
        long nowMicros = aligned.nowMicros();
        WindowAccount account = state.account(start);
        if (request instanceof CounterRequest.Take take) {
            return aligned.take(take, account, state);
        }
        if (request instanceof CounterRequest.Peek peek) {
            return new GlobalCounter(aligned.peek(account, peek.cost(), 0), opened(state, start));
        }
        if (request instanceof CounterRequest.Refund refund) {
            GlobalLimitState given = refunded(refund, state, window, nowMicros);
            return new GlobalCounter(aligned.standing(given.account(start)), given);
        }
        if (request instanceof CounterRequest.Charge charge) {
            GlobalLimitState charged = charged(charge, state, window, nowMicros);
            return new GlobalCounter(aligned.standing(charged.account(start)), charged);
        }
        return aligned.reset(account, state);
    }

    /** The state after a peek: it has an account to report, so that the region receives what the others used. */
    static GlobalLimitState opened(GlobalLimitState state, long start) {
        return state.accounts().containsKey(start) ? state : state.with(start, WindowAccount.EMPTY);
    }

    /** Whether what was admitted without the region counts even beyond the region's grant; in escrow with denial it does not. */
    public static boolean countsAll(Limit limit) {
        return SharingMode.of(limit.policy()) != SharingMode.ESCROW
                || !(limit.policy().coordination().onExhausted() instanceof OnExhausted.Deny);
    }

    /** The state charged with what was admitted without it: in its own window, unless that came so late that its account is gone. */
    static GlobalLimitState charged(
            CounterRequest.Charge charge, GlobalLimitState state, Window window, long nowMicros) {
        long start = startMicros(charge.takenMicros(), state, window, nowMicros);
        boolean gone = !state.accounts().containsKey(start) && nowMicros >= window.endMicros(start) + KEPT_MICROS;
        WindowAccount account = state.account(start);
        long units = countsAll(charge.limit())
                ? charge.cost()
                : Math.min(charge.cost(), Math.max(0, account.grantAvailable() - account.own()));
        return gone || units == 0 ? state : state.with(start, account.take(units));
    }

    /**
     * The start of the window in which something was taken. What seems to come from a later one, because the sender's clock is
     * ahead, is of this one; unless there is an account of the later one: then the region's own clock was set back.
     */
    private static long startMicros(long takenMicros, GlobalLimitState state, Window window, long nowMicros) {
        long start = window.startMicros(takenMicros);
        return takenMicros <= nowMicros || state.accounts().containsKey(start) ? start : window.startMicros(nowMicros);
    }

    /** The request, or a refund of nothing for what was taken before the incarnation began: this incarnation never counted it. */
    private static CounterRequest ofThisIncarnation(CounterRequest request, GlobalLimitState state) {
        return request instanceof CounterRequest.Refund refund && refund.takenMicros() < state.startedMicros()
                ? new CounterRequest.Refund(refund.limit(), 0, refund.takenMicros())
                : request;
    }

    /** The state after a refund. It goes to the account of the window in which the units were taken, so that its total is what was admitted. */
    static GlobalLimitState refunded(
            CounterRequest.Refund refund, GlobalLimitState state, Window window, long nowMicros) {
        long start = startMicros(refund.takenMicros(), state, window, nowMicros);
        return state.accounts().containsKey(start)
                ? state.with(start, state.account(start).refund(refund.cost()))
                : state;
    }

    /**
     * Requests in one aligned window.
     *
     * <p>Formulas: converge admits while {@code own + used elsewhere + cost <= limit} and all regions together have not reached the limit; escrow
     * admits while {@code own + cost <= granted - returned}, and beyond that only what a region that is cut off may overdraw.
     */
    record AlignedWindow(Limit limit, long start, long end, long nowMicros) {
        GlobalCounter take(CounterRequest.Take take, WindowAccount before, GlobalLimitState state) {
            WindowAccount account = isEscrow() ? before.request(take.requested()) : before;
            if (take.cost() == 0 || Math.max(1, take.cost()) > free(account, take.overdraft())) {
                CounterReply reply = peek(account, take.cost(), take.overdraft());
                WindowAccount recorded = isEscrow() && take.cost() > 0 && mayBeGranted(account, take.cost())
                        ? account.refuse(take.cost(), limit.quota().capacity())
                        : account;
                return new GlobalCounter(reply, recorded.equals(before) ? state : state.with(start, recorded));
            }
            WindowAccount taken = account.take(take.cost());
            long free = free(taken, take.overdraft());
            long ahead = take.horizonMicros() > 0 ? Math.max(0, Math.min(take.ahead(), free / TakenAhead.SHARE)) : 0;
            WindowAccount next = taken.take(ahead);
            long until = ahead == 0 ? 0 : nowMicros + Math.min(take.horizonMicros(), end - nowMicros);
            return new GlobalCounter(reply(true, next, take.overdraft(), 0, ahead, until), state.with(start, next));
        }

        /** Whether enough of the limit is left, as far as the region knows, for a grant to cover this cost. */
        private boolean mayBeGranted(WindowAccount account, long cost) {
            return cost <= limit.quota().capacity() - account.used();
        }

        CounterReply peek(WindowAccount account, long cost, long overdraft) {
            long needed = Math.max(1, cost);
            if (needed <= free(account, overdraft)) {
                return reply(true, account, overdraft, 0, 0, 0);
            }
            return reply(false, account, overdraft, waitMicros(account, needed), 0, 0);
        }

        CounterReply standing(WindowAccount account) {
            return reply(true, account, 0, 0, 0, 0);
        }

        GlobalCounter reset(WindowAccount account, GlobalLimitState state) {
            WindowAccount reset = account.refund(account.own());
            return new GlobalCounter(peek(reset, 1, 0), reset.equals(account) ? state : state.with(start, reset));
        }

        private long waitMicros(WindowAccount account, long needed) {
            if (needed > limit.quota().capacity()) {
                return Outcome.NEVER;
            }
            long left = end - nowMicros;
            boolean grantable = isEscrow() && !isBlocked(account);
            return grantable ? Math.min(left, GRANTED_WITHIN_MICROS) : left;
        }

        private CounterReply reply(
                boolean admitted, WindowAccount account, long overdraft, long waitMicros, long ahead, long until) {
            return new CounterReply(
                    admitted,
                    new Standing(limit.quota().capacity(), free(account, overdraft), end),
                    waitMicros,
                    ahead,
                    until,
                    new CounterReply.GlobalUsage(
                            account.taken(),
                            account.returned(),
                            account.verdict().usedElsewhere(),
                            account.grantAvailable()));
        }

        private long free(WindowAccount account, long overdraft) {
            long capacity = limit.quota().capacity();
            if (!isEscrow()) {
                return isBlocked(account) ? 0 : Math.max(0, capacity - account.used());
            }
            long line = account.grantAvailable();
            if (overdraft == CounterRequest.Take.LOCAL) {
                line = Math.max(line, capacity);
            } else {
                line += overdraft;
            }
            return Math.max(0, line - account.own());
        }

        private boolean isBlocked(WindowAccount account) {
            return account.isBlocked(
                    limit.policy().revision().version(), limit.quota().capacity());
        }

        private boolean isEscrow() {
            return SharingMode.of(limit.policy()) == SharingMode.ESCROW;
        }
    }

    /**
     * Units of a limit in escrow that a region may spend without a grant, in windows that start within a range. The first request of a window takes the
     * offer or, outside of the range, nothing; what comes later in that window changes nothing.
     */
    public record FloorOffer(long units, long fromMicros, long untilMicros) {
        public static final FloorOffer NONE = new FloorOffer(0, 0, 0);

        /** The floor of a window that starts then. */
        long of(long startMicros) {
            return startMicros >= fromMicros && startMicros < untilMicros ? units : 0;
        }
    }
}
