package io.meridian.limiter.decide;

import io.meridian.model.counter.CounterReply;
import io.meridian.model.counter.CounterRequest;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** The port to the counters of a region. */
public interface RegionCounters {
    /**
     * What the counters say to a group of asks: all its takes or none. Completes within the time budget, on the event loop
     * that asked; fails with {@link RegionAway} if the region cannot be asked or does not answer in time.
     */
    CompletionStage<Reply> ask(List<CounterRequest> group);

    /** Whether grants of limits in escrow are safe with these counters; where they are not, every such take is refused. */
    default boolean holdsEscrow() {
        return true;
    }

    /** The answers in the order of the asks, and the region's time at which they were given. */
    record Reply(List<CounterReply> told, long nowMicros) {}
}
