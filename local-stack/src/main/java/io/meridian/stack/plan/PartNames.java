package io.meridian.stack.plan;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Names of parts and their ports in options, tables, log files and drills. */
public final class PartNames {
    public static final String POSTGRES = "postgres";
    public static final String KAFKA = "kafka";
    public static final String KAFKA_CONTROLLER = "kafka-controller";
    public static final String KAFKA_INTERNAL = "kafka-internal";
    public static final String FAULTS = "faults";
    public static final String CONFIG_SERVICE = "config-service";
    public static final List<String> SYNC_REPLICAS = List.of("sync-1", "sync-2");

    /** Observers of the stack, where the machine has them. */
    public static final String PROMETHEUS = "prometheus";

    public static final String GRAFANA = "grafana";

    private static final Set<String> SINGLE_WITH_DATA = Set.of(POSTGRES, KAFKA, PROMETHEUS, GRAFANA);
    private static final String REDIS = "redis-";
    private static final String LIMITER = "limiter-";

    private PartNames() {}

    /** Whether the part keeps data between runs; a limiter keeps the last rules it knew. */
    public static boolean keepsData(String part) {
        return SINGLE_WITH_DATA.contains(part) || part.startsWith(REDIS) || part.startsWith(LIMITER);
    }

    public static String redis(String region) {
        return REDIS + region;
    }

    /** The region whose Redis is called so; empty if this is none. */
    public static Optional<String> regionOfRedis(String part) {
        return part.startsWith(REDIS) ? Optional.of(part.substring(REDIS.length())) : Optional.empty();
    }

    /** The Kafka address that clients of a region, or of the centre, use: its fault proxy. */
    public static String kafka(String place) {
        return "kafka-" + place;
    }

    /** The broker's own listener behind that proxy. */
    public static String kafkaBroker(String place) {
        return "kafka-broker-" + place;
    }

    /** The limiters of a region, counted from 1; the first one's name has no number. */
    public static String limiter(String region, int number) {
        return LIMITER + region + (number == 1 ? "" : "-" + number);
    }
}
