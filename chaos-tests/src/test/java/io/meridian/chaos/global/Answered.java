package io.meridian.chaos.global;

import io.meridian.chaos.drill.load.Answer;

/**
 * A decision as its client saw it, by the client's own monotonic clock.
 *
 * @param sentNanos when the request left
 * @param answeredNanos when its answer was there
 */
record Answered(String region, Answer answer, long sentNanos, long answeredNanos) {
    boolean allowed() {
        return answer.allowed();
    }
}
