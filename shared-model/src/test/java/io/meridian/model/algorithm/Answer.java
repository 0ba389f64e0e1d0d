package io.meridian.model.algorithm;

import io.meridian.model.algorithm.Outcome.Admitted;
import io.meridian.model.algorithm.Outcome.Refused;
import io.meridian.model.algorithm.Outcome.Standing;

/** An outcome as the caller sees it: everything but the state. */
record Answer(boolean admitted, Standing standing, long waitMicros) {
    static Answer of(Outcome outcome) {
        if (outcome instanceof Refused refused) {
            return new Answer(false, refused.standing(), refused.retryAfterMicros());
        }
        return new Answer(true, outcome.standing(), ((Admitted) outcome).delayMicros());
    }
}
