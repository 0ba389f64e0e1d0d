package io.meridian.stack.plan;

import java.nio.file.Path;
import java.util.List;

/**
 * A stack to start.
 *
 * @param home the root of the repository, where the built services are
 * @param ports of all parts; with {@link PartNames#PROMETHEUS} or {@link PartNames#GRAFANA} among them, these are started too
 * @param fresh whether to forget the data of earlier runs
 */
public record StackPlan(Path home, List<String> regions, PortPlan ports, int limitersPerRegion, boolean fresh) {
    public StackPlan {
        regions = List.copyOf(regions);
    }
}
