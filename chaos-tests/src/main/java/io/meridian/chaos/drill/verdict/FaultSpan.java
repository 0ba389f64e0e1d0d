package io.meridian.chaos.drill.verdict;

import io.meridian.chaos.drill.history.Event;
import io.meridian.chaos.drill.history.Event.FaultBegan;
import io.meridian.chaos.drill.history.Event.FaultEnded;
import io.meridian.chaos.drill.history.History;
import io.meridian.chaos.drill.history.InjectedFault;
import io.meridian.chaos.drill.history.InjectedFault.LinkAction;
import io.meridian.chaos.drill.history.InjectedFault.OfLink;
import io.meridian.chaos.drill.history.InjectedFault.OfPart;
import io.meridian.chaos.drill.history.InjectedFault.PartAction;
import io.meridian.chaos.drill.history.InjectedFault.Role;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * A fault from its begin to its end, and what it explains. That is decided by its type; the words are for readers.
 *
 * @param toNanos the end of the drill where it never ended
 */
public record FaultSpan(
        String fault, InjectedFault injected, String words, long fromNanos, long toNanos, boolean ended) {
    /** One that begins again has another span. */
    static List<FaultSpan> all(History history, long endNanos) {
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
        return new FaultSpan(began.fault(), began.injected(), began.words(), began.atNanos(), toNanos, ended);
    }

    /** Whether it is meant to take a leader away. */
    boolean isOfLeader() {
        return injected instanceof OfPart part && part.role() == Role.LEADER;
    }

    /** Whether it is done to the part of that name. */
    boolean isOfPart(String name) {
        return injected instanceof OfPart part && part.part().equals(name);
    }

    /** Whether it kills a limiter of that region: what that held counts as spent. */
    boolean killsLimiter(String region) {
        return injected instanceof OfPart part
                && part.role() == Role.LIMITER
                && part.action() == PartAction.KILL
                && part.region().equals(region);
    }

    /** Whether the Redis of that region loses what it was not asked for yet. */
    boolean losesRedis(String region) {
        return injected instanceof OfPart part
                && part.role() == Role.REDIS
                && (part.action() == PartAction.KILL || part.action() == PartAction.WIPE)
                && part.region().equals(region);
    }

    /** Whether it may hold up what regions tell the centre or hear of it; a part that is replaced always may. */
    boolean delaysLoop() {
        return !(injected instanceof OfPart part) || part.action() == PartAction.RESTART || isOnLoop(part.role());
    }

    private static boolean isOnLoop(Role role) {
        return switch (role) {
            case LEADER, SYNC, REDIS, KAFKA -> true;
            case LIMITER, POSTGRES, CONFIG_SERVICE -> false;
        };
    }

    /** The most that it adds to a link, one way, if it is a delay: the latency and its jitter. */
    OptionalLong furtherMillis() {
        return injected instanceof OfLink link && link.action() == LinkAction.DELAY
                ? OptionalLong.of(link.latencyMillis() + link.jitterMillis())
                : OptionalLong.empty();
    }

    boolean beginsDuring(long from, long to) {
        return fromNanos >= from && fromNanos <= to;
    }

    boolean overlaps(long from, long to) {
        return fromNanos < to && toNanos >= from;
    }
}
