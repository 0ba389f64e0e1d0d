package io.meridian.model.algorithm;

import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A queue of requests that is worked off front to back. A unit of cost is a window's worth of work and a microsecond
 * does {@code limit} of it, so all work is whole.
 */
final class QueueOracle implements Oracle {
    private final Deque<BigInteger> waiting = new ArrayDeque<>();
    private final BigInteger limit;
    private final BigInteger window;
    private long atMicros = Long.MIN_VALUE;

    QueueOracle(Quota quota) {
        limit = BigInteger.valueOf(quota.limit());
        window = BigInteger.valueOf(Draw.lengthMicros(quota.window()));
    }

    @Override
    public void take(long nowMicros, long cost) {
        work(nowMicros);
        waiting.addLast(window.multiply(BigInteger.valueOf(cost)));
    }

    @Override
    public Used usedAt(long nowMicros) {
        work(nowMicros);
        return Used.exactly(roundedUp(queued(), window));
    }

    /** How long something that arrives now waits for what is before it, rounded up to microseconds. */
    long delayAt(long nowMicros) {
        work(nowMicros);
        return roundedUp(queued(), limit);
    }

    private void work(long nowMicros) {
        BigInteger done = BigInteger.valueOf(nowMicros)
                .subtract(BigInteger.valueOf(atMicros))
                .multiply(limit);
        atMicros = nowMicros;
        while (done.signum() > 0 && !waiting.isEmpty()) {
            BigInteger first = waiting.removeFirst();
            if (first.compareTo(done) > 0) {
                waiting.addFirst(first.subtract(done));
            }
            done = done.subtract(first);
        }
    }

    private BigInteger queued() {
        return waiting.stream().reduce(BigInteger.ZERO, BigInteger::add);
    }

    private static long roundedUp(BigInteger dividend, BigInteger divisor) {
        BigInteger[] parts = dividend.divideAndRemainder(divisor);
        return parts[0].longValueExact() + parts[1].signum();
    }
}
