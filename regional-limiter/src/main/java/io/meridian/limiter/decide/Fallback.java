package io.meridian.limiter.decide;

import io.meridian.model.counter.CounterReply;
import io.meridian.model.counter.CounterRequest;
import java.util.List;

/** The port to what decides while the region's counters are away: this instance alone, by each policy's on_failure. */
public interface Fallback {
    /** What a group of asks gets here, all its takes or none. No limit of it fails closed. */
    List<CounterReply> answer(List<CounterRequest> group, long nowMicros);

    /** Hands out up to {@code max} of what was admitted here and must be charged to the region. */
    List<CounterRequest.Charge> owed(int max);

    /** Takes back what could not be charged. */
    void owe(CounterRequest.Charge settle);
}
