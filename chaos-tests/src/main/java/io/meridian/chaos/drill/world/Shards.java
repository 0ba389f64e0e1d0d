package io.meridian.chaos.drill.world;

import java.io.IOException;
import java.util.List;

/** Who leads what. */
public interface Shards {
    /** By the word of the first replica that says so; a failure if none does. */
    List<Lead> leads() throws IOException, InterruptedException;

    /**
     * One partition.
     *
     * @param leader empty if nobody ever led it
     * @param beatAt when it last said that it leads, by its own clock
     */
    record Lead(int partition, String leader, long epoch, String beatAt) {}
}
