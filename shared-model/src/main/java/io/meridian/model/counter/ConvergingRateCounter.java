package io.meridian.model.counter;

import io.meridian.model.algorithm.CounterState;
import io.meridian.model.algorithm.Window;
import io.meridian.model.match.Limit;
import java.util.List;

/**
 * One request on a global limit under an algorithm without aligned windows: the region's own counter, charged with what the others used as
 * soon as a verdict says so. It is charged late, by the loop's delay, and never early, so it forgets a little later than an exact one would.
 * Aligned periods only hold the accounts.
 */
record ConvergingRateCounter(
        CounterRequest request, GlobalLimitState state, Window window, long start, long nowMicros) {
    GlobalCounter apply() {
        GlobalLimitState charged = charged();
        RegionalCounter applied = RegionalCounter.of(List.of(request), List.of(charged.counter()), nowMicros);
        CounterReply own = applied.replies().get(0);
        GlobalLimitState kept = kept(charged.with(applied.states().get(0)), own);
        WindowAccount account = kept.account(start);
        CounterReply reply = new CounterReply(
                own.admitted(),
                own.standing(),
                own.waitMicros(),
                own.ahead(),
                own.untilMicros(),
                new CounterReply.GlobalUsage(
                        account.taken(), account.returned(), account.verdict().usedElsewhere(), 0));
        return new GlobalCounter(reply, kept);
    }

    /** The counter charged with the usage elsewhere that it does not contain yet, of this period and of the one before. */
    private GlobalLimitState charged() {
        GlobalLimitState charged = state;
        for (long period : new long[] {previous(), start}) {
            WindowAccount account = state.accounts().get(period);
            if (account == null || account.applied() == account.verdict().usedElsewhere()) {
                continue;
            }
            long more = account.verdict().usedElsewhere() - account.applied();
            Limit judged = more > 0 ? ChargedCapacity.stretched(request.limit()) : request.limit();
            CounterRequest change = more > 0
                    ? new CounterRequest.Charge(judged, more, nowMicros)
                    : new CounterRequest.Refund(judged, -more, nowMicros);
            CounterState next = RegionalCounter.of(List.of(change), List.of(charged.counter()), nowMicros)
                    .states()
                    .get(0);
            charged = charged.with(next).with(period, account.charged());
        }
        return charged;
    }

    private long previous() {
        return window.startMicros(start - 1);
    }

    private GlobalLimitState kept(GlobalLimitState charged, CounterReply reply) {
        WindowAccount account = charged.account(start);
        if (request instanceof CounterRequest.Take take && take.cost() > 0 && reply.admitted()) {
            return charged.with(start, account.take(take.cost() + reply.ahead()));
        }
        if (request instanceof CounterRequest.Charge charge) {
            return GlobalCounter.charged(charge, charged, window, nowMicros);
        }
        if (request instanceof CounterRequest.Refund refund) {
            return GlobalCounter.refunded(refund, charged, window, nowMicros);
        }
        if (request instanceof CounterRequest.Peek) {
            return GlobalCounter.opened(charged, start);
        }
        boolean reset =
                request instanceof CounterRequest.Reset && charged.accounts().containsKey(start);
        return reset ? charged.with(start, account.refund(account.own())) : charged;
    }
}
