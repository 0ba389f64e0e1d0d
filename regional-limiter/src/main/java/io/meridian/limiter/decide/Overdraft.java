package io.meridian.limiter.decide;

import io.meridian.model.counter.CounterRequest;
import io.meridian.model.match.Limit;
import io.meridian.model.policy.Coordination.OnExhausted;
import io.meridian.model.policy.Coordination;

/** What a region may take beyond its grant while the centre is not heard of, by the policy's on_exhausted. */
final class Overdraft {
    private static final long PERCENT = 100;

    private Overdraft() {}

    static long of(Limit limit, Centre centre) {
        Coordination coordination = limit.policy().coordination();
        if (coordination.onExhausted() instanceof OnExhausted.Deny || centre.isHeard(limit)) {
            return 0;
        }
        return coordination.onExhausted() instanceof OnExhausted.Overdraft some
                ? limit.quota().capacity() * some.percent() / PERCENT
                : CounterRequest.Take.LOCAL;
    }
}
