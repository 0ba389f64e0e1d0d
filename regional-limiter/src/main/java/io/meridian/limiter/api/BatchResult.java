package io.meridian.limiter.api;

import io.meridian.limiter.decide.Ruling;
import io.meridian.service.http.Problem;

/** What became of one element of a batch. */
sealed interface BatchResult {
    record Ruled(Ruling ruling) implements BatchResult {}

    record NotAsked(Problem problem) implements BatchResult {}
}
