package io.meridian.limiter.lease;

import io.meridian.limiter.region.RegionCounters.Reply;
import io.meridian.model.counter.CounterReply;
import io.meridian.model.counter.CounterRequest;
import java.util.ArrayList;
import java.util.List;

/** Refunds of the units taken by a reply that came too late: its checks were decided without it. */
public final class LateReplies {
    private LateReplies() {}

    public static List<List<CounterRequest>> returns(List<List<CounterRequest>> groups, List<Reply> replies) {
        List<List<CounterRequest>> returns = new ArrayList<>();
        for (int i = 0; i < groups.size(); i++) {
            returns.addAll(taken(groups.get(i), replies.get(i)));
        }
        return returns;
    }

    /** Refunds of the units that the takes of a group took: none if a binding take was refused. */
    public static List<List<CounterRequest>> taken(List<CounterRequest> group, Reply reply) {
        List<List<CounterRequest>> returns = new ArrayList<>();
        for (int i = 0; i < group.size(); i++) {
            CounterReply told = reply.told().get(i);
            if (group.get(i) instanceof CounterRequest.Charge settle && told.globalUsage() != null) {
                // It was owed again when it was not answered in time.
                returns.add(List.of(new CounterRequest.Refund(settle.limit(), settle.cost(), settle.takenMicros())));
            }
            if (!(group.get(i) instanceof CounterRequest.Take take)) {
                continue;
            }
            if (told.admitted()) {
                returns.add(List.of(
                        new CounterRequest.Refund(take.limit(), take.cost() + told.ahead(), reply.nowMicros())));
            } else if (!take.limit().policy().enforcement().isShadow()) {
                return List.of();
            }
        }
        return returns;
    }
}
