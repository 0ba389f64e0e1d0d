package io.meridian.config.history.whatif;

import java.util.List;

/**
 * What was asked for in a range.
 *
 * @param all how many series there are, which may be more than were read
 */
record RecordedDemand(List<Series> series, long all) {
    boolean isCut() {
        return all > series.size();
    }

    /** What one key asked for, minute by minute in order: what it consumed and what it was refused. */
    static final class Series {
        /** No sum of a replay leaves the range of whole numbers with this as the most of one minute. */
        private static final long UNITS_MAX = 1_000_000_000_000L;

        private final String key;
        private final long[] minutes;
        private final long[] units;

        /**
         * @param minutes the beginning of each minute, in microseconds since 1970
         * @param units what was asked for in each; negative where more came back than was taken
         */
        Series(String key, long[] minutes, long[] units) {
            if (minutes.length != units.length) {
                throw new IllegalArgumentException(
                        "minutes and units must be as many, got " + minutes.length + " and " + units.length);
            }
            this.key = key;
            this.minutes = minutes;
            this.units = units;
        }

        String key() {
            return key;
        }

        int length() {
            return minutes.length;
        }

        long minute(int index) {
            return minutes[index];
        }

        long units(int index) {
            return units[index];
        }

        /** The same with what came back taken off the minutes before: it was not used in them. */
        Series settled() {
            long[] settled = units.clone();
            long back = 0;
            for (int i = settled.length - 1; i >= 0; i--) {
                long net = Math.max(-UNITS_MAX, Math.min(UNITS_MAX, settled[i])) - back;
                settled[i] = Math.max(0, net);
                back = Math.max(0, -net);
            }
            return new Series(key, minutes, settled);
        }
    }
}
