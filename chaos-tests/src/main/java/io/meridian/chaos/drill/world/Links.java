package io.meridian.chaos.drill.world;

import io.meridian.chaos.drill.file.NetworkFault;
import java.io.IOException;
import java.util.Set;

/** The links of places to Kafka, by which alone regions and centre hear of each other. */
public interface Links {
    /** Those that can be hurt: regions, and the centre by its own name. */
    Set<String> places();

    void hurt(String place, NetworkFault fault) throws IOException, InterruptedException;

    /** Makes the link sound, whatever was done to it by a drill. */
    void mend(String place) throws IOException, InterruptedException;
}
