package io.meridian.limiter.decide;

import io.meridian.model.match.Limit;

/** The port to those who keep accounts of what a region's own limits were used. Called for every check: fast, and never fails. */
public interface Usage {
    /** Tells nobody. */
    Usage UNTOLD = new Usage() {
        @Override
        public void took(Limit limit, long units, long takenMicros) {}

        @Override
        public void gaveBack(Limit limit, long units, long takenMicros) {}
    };

    void took(Limit limit, long units, long takenMicros);

    void gaveBack(Limit limit, long units, long takenMicros);
}
