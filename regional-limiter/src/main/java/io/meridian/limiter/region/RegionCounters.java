package io.meridian.limiter.region;

import io.meridian.model.counter.CounterReply;
import io.meridian.model.counter.CounterRequest;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Port to the counters of a region. */
public interface RegionCounters {
    /**
     * Reply of the counters to a group of requests: all its takes succeed or none. Completes within the time budget, on the event loop
     * that asked; fails with {@link RegionUnavailable} if the region cannot be asked or does not answer in time.
     */
    CompletionStage<Reply> ask(List<CounterRequest> group);

    /** Whether grants of limits in escrow are safe with these counters; where they are not, every such take is refused. */
    default boolean holdsEscrow() {
        return true;
    }

    /** Replies in the order of the requests, and the region's time at which they were given. */
    record Reply(List<CounterReply> told, long nowMicros) {}

    /** Port to the queues of checks that wait for the region's counters. */
    interface Backlog {
        /** How full the fullest queue of this instance is, from 0 to 100 percent. */
        CompletionStage<Integer> backlogPercent();
    }
}
