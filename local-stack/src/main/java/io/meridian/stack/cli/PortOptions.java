package io.meridian.stack.cli;

import io.meridian.stack.process.FreePorts;
import io.meridian.stack.plan.PortPlan;
import io.meridian.stack.plan.StandardPorts;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import picocli.CommandLine.Option;

/** Which ports a stack takes. */
final class PortOptions {
    @Option(
            names = "--ports-from",
            paramLabel = "BASE",
            description = "Take consecutive ports from BASE instead of the usual ones; 0 takes any that are free.")
    private Optional<Integer> base = Optional.empty();

    @Option(
            names = "--port",
            paramLabel = "NAME=PORT",
            description =
                    "The port of one part, as often as needed: config-service, limiter-REGION, sync-1, sync-2, faults,"
                            + " postgres, redis-REGION, kafka-centre, kafka-REGION, kafka-controller, kafka-internal,"
                            + " kafka-broker-centre, kafka-broker-REGION, prometheus, grafana.")
    private Map<String, Integer> moved = new LinkedHashMap<>();

    PortPlan plan(List<String> regions, int limitersPerRegion, Set<String> observers) {
        PortPlan standard = StandardPorts.of(regions, limitersPerRegion, observers);
        return base.map(from -> from(standard, from)).orElse(standard).with(moved);
    }

    private static PortPlan from(PortPlan standard, int base) {
        AtomicInteger next = new AtomicInteger(base);
        return standard.at(base == 0 ? FreePorts::take : next::getAndIncrement);
    }
}
