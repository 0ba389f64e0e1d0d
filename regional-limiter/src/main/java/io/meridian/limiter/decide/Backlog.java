package io.meridian.limiter.decide;

import java.util.concurrent.CompletionStage;

/** The port to the queues of checks that wait for the region's counters. */
public interface Backlog {
    /** How full the fullest queue of this instance is, from 0 to 100 percent. */
    CompletionStage<Integer> backlogPercent();
}
