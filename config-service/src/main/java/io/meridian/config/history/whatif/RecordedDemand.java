package io.meridian.config.history.whatif;

import java.util.List;

/**
 * What was asked for in a range.
 *
 * @param all how many series there are, which may be more than were read
 */
record RecordedDemand(List<Demand> series, long all) {
    boolean isCut() {
        return all > series.size();
    }
}
