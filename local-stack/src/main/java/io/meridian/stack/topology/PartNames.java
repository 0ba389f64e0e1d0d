package io.meridian.stack.topology;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** How parts and their ports are called: in options, tables, log files and drills. */
public final class PartNames {
    public static final String POSTGRES = "postgres";
    public static final String KAFKA = "kafka";
    public static final String KAFKA_CONTROLLER = "kafka-controller";
    public static final String KAFKA_INTERNAL = "kafka-internal";
    public static final String FAULTS = "faults";
    public static final String CONFIG_SERVICE = "config-service";
    public static final List<String> SYNC_REPLICAS = List.of("sync-1", "sync-2");

    /** The parts that keep data between runs; a limiter keeps the last rules it knew. */
    public static final List<String> WITH_DATA = Stream.of(
                    Stream.of(POSTGRES, KAFKA), Regions.ALL.stream().map(PartNames::redis), limiters())
            .flatMap(parts -> parts)
            .toList();

    private PartNames() {}

    private static Stream<String> limiters() {
        return Regions.ALL.stream().flatMap(region -> IntStream.rangeClosed(1, StandardPorts.LIMITERS_PER_REGION_MAX)
                .mapToObj(number -> limiter(region, number)));
    }

    public static String redis(String region) {
        return "redis-" + region;
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
        return "limiter-" + region + (number == 1 ? "" : "-" + number);
    }
}
