package io.meridian.stack.plan;

import static java.util.stream.Collectors.joining;

import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntSupplier;

/** Ports of 127.0.0.1 by part. No two parts share one. */
public record PortPlan(Map<String, Integer> ports) {
    /** More would run into the ports of the sync replicas. */
    public static final int LIMITERS_PER_REGION_MAX = 10;

    private static final int NEXT_LIMITER = 10;
    private static final Map<String, Integer> OBSERVERS = Map.of(PartNames.PROMETHEUS, 9090, PartNames.GRAFANA, 3000);
    private static final int PORT_MAX = 65_535;

    public PortPlan {
        Map<Integer, String> owners = new HashMap<>();
        ports.forEach((name, port) -> {
            if (port < 1 || port > PORT_MAX) {
                throw new IllegalArgumentException(
                        "The port of " + name + " must be between 1 and " + PORT_MAX + ", got " + port);
            }
            String other = owners.put(port, name);
            if (other != null) {
                throw new IllegalArgumentException("Port " + port + " is wanted by both " + other + " and " + name
                        + ": move one with --port NAME=PORT");
            }
        });
        ports = Collections.unmodifiableMap(new LinkedHashMap<>(ports));
    }

    /**
     * Standard ports of a stack with these regions.
     *
     * <pre>
     * config-service    8080
     * limiter-REGION    8101 to 8105; the n-th limiter of a region is 10 × (n - 1) higher: 8111 to 8115 and so on to 8195
     * sync-1, sync-2    8201, 8202
     * faults            8474          the fault proxies' API
     * postgres          15432
     * redis-REGION      16371 to 16375
     * kafka-centre      19092         what clients use: the fault proxies
     * kafka-REGION      19101 to 19105
     * kafka-controller  19093         what only the broker uses
     * kafka-internal    19094
     * kafka-broker-…    19192, 19201 to 19205
     * prometheus        9090          where the stack is observed
     * grafana           3000
     * </pre>
     *
     * Further regions follow the five: 8106, 16376, 19106, 19206 and so on.
     *
     * @param observers which of {@link PartNames#PROMETHEUS} and {@link PartNames#GRAFANA} are started too
     */
    public static PortPlan standard(List<String> regions, int limitersPerRegion, Set<String> observers) {
        if (limitersPerRegion < 1 || limitersPerRegion > LIMITERS_PER_REGION_MAX) {
            throw new IllegalArgumentException(
                    "There can be 1 to " + LIMITERS_PER_REGION_MAX + " limiters per region, got " + limitersPerRegion);
        }
        Map<String, Integer> ports = new LinkedHashMap<>();
        ports.put(PartNames.CONFIG_SERVICE, 8080);
        for (int number = 1; number <= limitersPerRegion; number++) {
            for (int region = 0; region < regions.size(); region++) {
                ports.put(PartNames.limiter(regions.get(region), number), 8101 + region + NEXT_LIMITER * (number - 1));
            }
        }
        for (int replica = 0; replica < PartNames.SYNC_REPLICAS.size(); replica++) {
            ports.put(PartNames.SYNC_REPLICAS.get(replica), 8201 + replica);
        }
        ports.put(PartNames.FAULTS, 8474);
        ports.put(PartNames.POSTGRES, 15_432);
        ports.put(PartNames.kafka(Regions.CENTRE), 19_092);
        ports.put(PartNames.KAFKA_CONTROLLER, 19_093);
        ports.put(PartNames.KAFKA_INTERNAL, 19_094);
        ports.put(PartNames.kafkaBroker(Regions.CENTRE), 19_192);
        for (int region = 0; region < regions.size(); region++) {
            String name = regions.get(region);
            ports.put(PartNames.redis(name), 16_371 + region);
            ports.put(PartNames.kafka(name), 19_101 + region);
            ports.put(PartNames.kafkaBroker(name), 19_201 + region);
        }
        OBSERVERS.forEach((name, port) -> {
            if (observers.contains(name)) {
                ports.put(name, port);
            }
        });
        return new PortPlan(ports);
    }

    public int of(String name) {
        Integer port = ports.get(name);
        if (port == null) {
            throw new IllegalArgumentException("There is no port called " + name + ". There are: "
                    + ports.keySet().stream().collect(joining(", ")));
        }
        return port;
    }

    public boolean has(String name) {
        return ports.containsKey(name);
    }

    /** The same parts, some of them elsewhere. */
    public PortPlan with(Map<String, Integer> moved) {
        Map<String, Integer> result = new LinkedHashMap<>(ports);
        moved.forEach((name, port) -> {
            of(name);
            result.put(name, port);
        });
        return new PortPlan(result);
    }

    /** The same parts, at the ports that come next. */
    public PortPlan at(IntSupplier next) {
        Map<String, Integer> result = new LinkedHashMap<>();
        ports.keySet().forEach(name -> result.put(name, next.getAsInt()));
        return new PortPlan(result);
    }
}
