package io.meridian.limiter.decide;

import io.meridian.model.match.Limit;
import io.meridian.model.wire.InstanceReport;

/** The port to what this instance knows of the centre: how old its word is, and what that may cost. */
public interface Centre {
    /** There is none: nothing is known of other regions. */
    Centre NONE = new Centre() {
        @Override
        public long stalenessMillis(Limit limit) {
            return 0;
        }

        @Override
        public boolean isHeard(Limit limit) {
            return false;
        }

        @Override
        public long boundUnits(Limit limit) {
            return limit.quota().capacity();
        }

        @Override
        public InstanceReport.Loop loop() {
            return InstanceReport.Loop.NONE;
        }
    };

    /** How long ago the leader of the limit was last heard of, by this instance. */
    long stalenessMillis(Limit limit);

    /** Whether the leader of the limit was heard of lately; if not, the region is cut off. */
    boolean isHeard(Limit limit);

    /** The most that all regions together may admit of the limit, as far as can be told: its limit, rate and loop delay. */
    long boundUnits(Limit limit);

    /** How this instance and the centre talk. */
    InstanceReport.Loop loop();
}
