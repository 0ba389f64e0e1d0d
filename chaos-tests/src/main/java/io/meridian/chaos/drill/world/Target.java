package io.meridian.chaos.drill.world;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A world to hurt: where its parts are, and what can be done to them. */
public interface Target extends AutoCloseable {
    /** For readers: {@code the running stack}. */
    String name();

    /** The limiters of each region, in an order that stays. */
    Map<String, List<String>> limiters();

    default List<String> regions() {
        return List.copyOf(limiters().keySet());
    }

    Policies policies();

    Shards shards();

    Links links();

    Parts parts();

    /** Opens the topic of usage, past all links; empty where a target does not say where it is. */
    Optional<UsageLog> usage();

    /** Gives back what it holds; a stack of the drill's own is taken down. */
    @Override
    void close() throws IOException;
}
