package io.meridian.drill.sample;

import io.meridian.drill.history.InjectedFault;
import io.meridian.drill.history.InjectedFault.Direction;
import io.meridian.drill.history.InjectedFault.LinkAction;
import io.meridian.drill.history.InjectedFault.OfLink;
import io.meridian.drill.history.InjectedFault.OfPart;
import io.meridian.drill.history.InjectedFault.PartAction;
import io.meridian.drill.history.InjectedFault.Role;

/** Faults as a drill injects them. */
public final class SampleFaults {
    private SampleFaults() {}

    public static InjectedFault cut(String place) {
        return new OfLink(LinkAction.PARTITION, place, Direction.BOTH, 0, 0, 0);
    }

    public static InjectedFault delayed(String place, long latencyMillis, long jitterMillis) {
        return new OfLink(LinkAction.DELAY, place, Direction.TO, latencyMillis, jitterMillis, 0);
    }

    public static InjectedFault narrowed(String place) {
        return new OfLink(LinkAction.BANDWIDTH, place, Direction.BOTH, 0, 0, 20);
    }

    public static OfPart leader(PartAction action, String replica) {
        return new OfPart(action, Role.LEADER, replica, "");
    }

    public static OfPart sync(PartAction action, String replica) {
        return new OfPart(action, Role.SYNC, replica, "");
    }

    public static InjectedFault redis(PartAction action, String region) {
        return new OfPart(action, Role.REDIS, "redis-" + region, region);
    }

    /** The second limiter of its region. */
    public static InjectedFault limiter(PartAction action, String region) {
        return new OfPart(action, Role.LIMITER, "limiter-" + region + "-2", region);
    }

    public static InjectedFault kafka(PartAction action) {
        return new OfPart(action, Role.KAFKA, "kafka", "");
    }

    public static InjectedFault postgres(PartAction action) {
        return new OfPart(action, Role.POSTGRES, "postgres", "");
    }
}
