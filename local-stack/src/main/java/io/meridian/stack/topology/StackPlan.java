package io.meridian.stack.topology;

import java.nio.file.Path;

/**
 * A stack to start.
 *
 * @param home the root of the repository, where the built services are
 * @param fresh whether to forget the data of earlier runs
 */
public record StackPlan(Path home, PortPlan ports, int limitersPerRegion, boolean fresh) {}
