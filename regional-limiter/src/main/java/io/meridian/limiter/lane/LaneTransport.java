package io.meridian.limiter.lane;

import io.meridian.limiter.region.RegionCounters.Reply;
import io.meridian.model.counter.CounterRequest;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;

/**
 * Port to one connection to the region's counters, and to the event loop that it belongs to. Every task and every answer runs on that loop. The
 * lane bounds waiting and retries; a transport does neither.
 */
public interface LaneTransport {
    /** Runs a task when the current turn of the event loop has done all else. */
    void atEndOfTurn(Runnable task);

    /** Runs a task after a time; the returned action revokes it. */
    Runnable after(Duration time, Runnable task);

    /** How long to wait for an answer: a bit longer for the first one, which a connection and cold code come before. */
    Duration patience();

    /** From now on nobody waits longer than the budget: the counters have answered, or have not in time. */
    void known();

    /** Takes note of a failed call: another server may have the data by now. */
    void failed(Throwable failure);

    /** Node of the region with the counters of a group. One call reaches one node. */
    int node(List<CounterRequest> group);

    /**
     * One call for all groups, one after another, each all or nothing. It names the incarnation of the region's data that is known when it is sent,
     * after a connection was made if there was none. Fails with {@link StaleIncarnation} if the data is of another one.
     */
    CompletionStage<Counted> count(List<List<CounterRequest>> groups);

    /** Learns the incarnation of the region's data again. */
    CompletionStage<?> identifyAgain();

    /**
     * Answer to a call.
     *
     * @param incarnation the one that the call named; empty if incarnations are not told apart
     */
    record Counted(List<Reply> replies, OptionalLong incarnation) {}

    /** The region's data is of another incarnation than the call named. Nothing was counted. */
    final class StaleIncarnation extends Exception {
        private static final long serialVersionUID = 1;

        /** Without a stack trace: the caller handles it. */
        public StaleIncarnation(String message) {
            super(message, null, false, false);
        }
    }
}
