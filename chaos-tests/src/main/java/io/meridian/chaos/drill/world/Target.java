package io.meridian.chaos.drill.world;

import io.meridian.model.match.LimitKeys;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A world to hurt: where its parts are, and what can be done to them. */
public interface Target extends AutoCloseable {
    /** Where the secret of a deployment is expected that a file describes. */
    String SECRET_VARIABLE = "MERIDIAN_KEYS_SECRET";

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

    /** Which shard a limit has; empty where the secret of a deployment is not known. */
    Optional<LimitKeys> keys();

    /** Gives back what it holds; a stack of the drill's own is taken down. */
    @Override
    void close() throws IOException;
}
