package io.meridian.drill.targets;

import io.meridian.drill.definition.NetworkFault;
import io.meridian.drill.definition.PartFault.Verb;
import io.meridian.drill.history.Subject;
import io.meridian.model.match.LimitKeys;
import io.meridian.model.usage.Usage;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Target of a drill: the addresses of its parts, and ports for its policies, leaders, links, processes and usage. */
public interface DrillTarget extends AutoCloseable {
    /** Environment variable with the key secret of a deployment. */
    String SECRET_VARIABLE = "MERIDIAN_KEYS_SECRET";

    /** For readers: {@code the running stack}. */
    String name();

    /** Addresses of the limiters by region, in a stable order. */
    Map<String, List<String>> limiters();

    default List<String> regions() {
        return List.copyOf(limiters().keySet());
    }

    Policies policies();

    Shards shards();

    Links links();

    Parts parts();

    /** Opens the usage topic, past all faulted links; empty if its address is unknown. */
    Optional<UsageReader> usage();

    /** Keys of limits, which determine their shards; empty if the key secret is unknown. */
    Optional<LimitKeys> keys();

    /** Publisher of the report; empty if nobody could read it there afterwards. */
    default Optional<DrillPublisher> publisher() {
        return Optional.empty();
    }

    /** Releases resources, and takes down a stack that was started for the drill. */
    @Override
    void close() throws IOException;

    /** Policies of the target, by its admin API. */
    interface Policies {
        /** Returns when the policy is stored, before it is in effect. */
        void create(Subject subject) throws IOException, InterruptedException;

        void remove(Subject subject) throws IOException, InterruptedException;

        /** Regions without the newest policies. */
        Set<String> laggards() throws IOException, InterruptedException;

        /** Loop measurements of the regions that report them. */
        List<Loop> loops() throws IOException, InterruptedException;

        /** Loop measurements of one region; NaN where it reports none. */
        record Loop(String region, double p99Millis, double maxMillis, double silentMillis) {}
    }

    /** Leaders of the partitions. */
    interface Shards {
        /** By the first replica that answers; throws if none does. */
        List<Lead> leads() throws IOException, InterruptedException;

        /**
         * Leader of one partition.
         *
         * @param leader empty if it never had one
         * @param beatAt time of the leader's last beat, by its own clock
         */
        record Lead(int partition, String leader, long epoch, String beatAt) {}
    }

    /** Links to Kafka, the only ones between regions and sync replicas. */
    interface Links {
        /** Places whose link can be faulted: regions, and the place of the sync replicas. */
        Set<String> places();

        void inject(String place, NetworkFault fault) throws IOException, InterruptedException;

        /** Removes all faults of drills from a link. */
        void heal(String place) throws IOException, InterruptedException;
    }

    /** Processes, by the local stack's names: {@code redis-eu-west}, {@code limiter-eu-west-2}. */
    interface Parts {
        List<String> names() throws IOException, InterruptedException;

        boolean can(String part, Verb verb);

        /** Returns when it is done; a started part is then ready. */
        void act(String part, Verb verb) throws IOException, InterruptedException;
    }

    /** Reader of the usage that regions reported. */
    interface UsageReader extends AutoCloseable {
        /** Usage reported by now of the window with that end. */
        Usage of(Subject subject, long windowEndMicros);

        @Override
        void close();
    }

    /** Refusal of a target that is not available, or cannot do what a drill needs. */
    static final class TargetException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        public TargetException(String message) {
            super(message);
        }
    }
}
