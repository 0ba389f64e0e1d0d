package io.meridian.drill.history;

import io.meridian.drill.history.Event.FaultBegan;
import io.meridian.drill.history.Event.FaultEnded;
import io.meridian.drill.history.InjectedFault.LinkAction;
import io.meridian.drill.history.InjectedFault.OfLink;
import io.meridian.drill.history.InjectedFault.OfPart;
import io.meridian.drill.history.InjectedFault.PartAction;
import io.meridian.drill.history.InjectedFault.Role;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Fault from its begin to its end. Its type decides which deviations it explains; the description is for readers.
 *
 * @param toNanos its end, or that of the drill if it never ended
 */
public record FaultSpan(
        String fault, InjectedFault injected, String description, long fromNanos, long toNanos, boolean ended) {
    /** All faults; one that begins again has another span. */
    static List<FaultSpan> all(DrillHistory history, long endNanos) {
        Map<String, FaultBegan> open = new LinkedHashMap<>();
        List<FaultSpan> spans = new ArrayList<>();
        for (Event event : history.events()) {
            if (event instanceof FaultBegan began) {
                open.putIfAbsent(began.fault(), began);
            } else if (event instanceof FaultEnded ended && open.containsKey(ended.fault())) {
                spans.add(of(open.remove(ended.fault()), ended.atNanos(), true));
            }
        }
        open.values().forEach(began -> spans.add(of(began, endNanos, false)));
        spans.sort(Comparator.comparingLong(FaultSpan::fromNanos));
        return List.copyOf(spans);
    }

    private static FaultSpan of(FaultBegan began, long toNanos, boolean ended) {
        return new FaultSpan(began.fault(), began.injected(), began.description(), began.atNanos(), toNanos, ended);
    }

    /** Whether it targets a leader as such. */
    public boolean isOfLeader() {
        return injected instanceof OfPart part && part.role() == Role.LEADER;
    }

    /** Whether it targets the part of that name. */
    public boolean isOfPart(String name) {
        return injected instanceof OfPart part && part.part().equals(name);
    }

    /** Whether it kills a limiter of that region, whose leases then count as spent. */
    public boolean killsLimiter(String region) {
        return injected instanceof OfPart part
                && part.role() == Role.LIMITER
                && part.action() == PartAction.KILL
                && part.region().equals(region);
    }

    /** Whether the Redis of that region loses usage that was not reported yet. */
    public boolean losesRedis(String region) {
        return injected instanceof OfPart part
                && part.role() == Role.REDIS
                && (part.action() == PartAction.KILL || part.action() == PartAction.WIPE)
                && part.region().equals(region);
    }

    /** Whether it may delay usage on its way up or verdicts on their way down; a restart of any part may. */
    public boolean delaysLoop() {
        return !(injected instanceof OfPart part) || part.action() == PartAction.RESTART || isOnLoop(part.role());
    }

    private static boolean isOnLoop(Role role) {
        return switch (role) {
            case LEADER, SYNC, REDIS, KAFKA -> true;
            case LIMITER, POSTGRES, CONFIG_SERVICE -> false;
        };
    }

    /** Largest one-way delay that it adds to a link, if it is a delay: latency plus jitter. */
    public OptionalLong addedDelayMillis() {
        return injected instanceof OfLink link && link.action() == LinkAction.DELAY
                ? OptionalLong.of(link.latencyMillis() + link.jitterMillis())
                : OptionalLong.empty();
    }

    public boolean beginsDuring(long from, long to) {
        return fromNanos >= from && fromNanos <= to;
    }

    public boolean overlaps(long from, long to) {
        return fromNanos < to && toNanos >= from;
    }
}
