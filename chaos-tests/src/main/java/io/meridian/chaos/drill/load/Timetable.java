package io.meridian.chaos.drill.load;

import java.util.OptionalLong;

/** When the checks of one region about one limit are due. */
public interface Timetable {
    /**
     * When a check was due, if one is by now; then the next one is to be asked for.
     *
     * @param nowNanos since the start of the load, as is what it returns
     * @param wallMicros the same moment by the wall clock, which windows go by
     */
    OptionalLong takeDue(long nowNanos, long wallMicros);
}
