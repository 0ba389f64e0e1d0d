package io.meridian.model.algorithm;

import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;

/** What was taken in the aligned window of now, found by naming the window of everything ever taken. */
final class WindowOracle implements Oracle {
    private final List<InWindow> taken = new ArrayList<>();
    private final LongFunction<?> windowOf;

    WindowOracle(LongFunction<?> windowOf) {
        this.windowOf = windowOf;
    }

    /** Windows by their number since 1970. */
    static LongFunction<?> spans(long lengthMicros) {
        return atMicros -> Math.floorDiv(atMicros, lengthMicros);
    }

    /** Windows by year and month in UTC. */
    static LongFunction<?> months() {
        return atMicros ->
                YearMonth.from(Instant.EPOCH.plus(atMicros, ChronoUnit.MICROS).atOffset(ZoneOffset.UTC));
    }

    @Override
    public void take(long atMicros, long cost) {
        taken.add(new InWindow(windowOf.apply(atMicros), cost));
    }

    @Override
    public Used usedAt(long nowMicros) {
        Object window = windowOf.apply(nowMicros);
        long sum = 0;
        for (InWindow one : taken) {
            sum += one.window.equals(window) ? one.cost : 0;
        }
        return Used.exactly(sum);
    }

    private record InWindow(Object window, long cost) {}
}
