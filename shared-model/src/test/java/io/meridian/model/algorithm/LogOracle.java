package io.meridian.model.algorithm;

import java.util.ArrayList;
import java.util.List;

/**
 * What was taken in the last {@code leastMicros} at least and in the last {@code mostMicros} at most, from a list of
 * everything ever taken.
 */
final class LogOracle implements Oracle {
    private final List<Taken> taken = new ArrayList<>();
    private final long leastMicros;
    private final long mostMicros;

    LogOracle(long leastMicros, long mostMicros) {
        this.leastMicros = leastMicros;
        this.mostMicros = mostMicros;
    }

    @Override
    public void take(long atMicros, long cost) {
        taken.add(new Taken(atMicros, cost));
    }

    @Override
    public Used usedAt(long nowMicros) {
        return new Used(sumAfter(nowMicros - leastMicros), sumAfter(nowMicros - mostMicros));
    }

    private long sumAfter(long micros) {
        long sum = 0;
        for (Taken one : taken) {
            sum += one.atMicros() > micros ? one.cost() : 0;
        }
        return sum;
    }
}
