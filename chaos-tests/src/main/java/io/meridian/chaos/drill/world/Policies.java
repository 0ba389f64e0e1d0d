package io.meridian.chaos.drill.world;

import io.meridian.chaos.drill.history.Subject;
import java.io.IOException;
import java.util.List;
import java.util.Set;

/** The policies of a world, changed as an admin does it. */
public interface Policies {
    /** Returns when it is made, not when it is in effect. */
    void create(Subject subject) throws IOException, InterruptedException;

    void remove(Subject subject) throws IOException, InterruptedException;

    /** The regions that do not have the newest policies yet. */
    Set<String> laggards() throws IOException, InterruptedException;

    /** How the loops stand, as far as the regions say. */
    List<Loop> loops() throws IOException, InterruptedException;

    /** One region's; NaN where it does not say. */
    record Loop(String region, double p99Millis, double maxMillis, double silentMillis) {}
}
