package io.meridian.chaos.drill.screen;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Answers per second over the last two seconds, from counts that only grow. */
final class Rates {
    private static final long SPAN_NANOS = TimeUnit.SECONDS.toNanos(2);

    private record Point(long nanos, Map<String, RegionCount> counts) {}

    private final Deque<Point> points = new ArrayDeque<>();

    /** None on the first call, which has nothing to compare with. */
    Map<String, RegionCount> at(long nanos, Map<String, RegionCount> counts) {
        while (points.size() > 1 && nanos - points.getFirst().nanos() > SPAN_NANOS) {
            points.removeFirst();
        }
        Point first = points.peekFirst();
        points.addLast(new Point(nanos, counts));
        Map<String, RegionCount> rates = new LinkedHashMap<>();
        if (first != null && nanos > first.nanos()) {
            double seconds = (nanos - first.nanos()) / (double) TimeUnit.SECONDS.toNanos(1);
            counts.forEach((region, count) ->
                    rates.put(region, count.since(first.counts().getOrDefault(region, RegionCount.NONE), seconds)));
        }
        return rates;
    }
}
