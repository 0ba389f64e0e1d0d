package io.meridian.model.algorithm;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/**
 * The interpolation {@code previous x (window - elapsed) / window + current} as a fraction, and as its upper bound the
 * stated rounding: a 2048th of the previous window's count and one unit more.
 */
final class EstimateOracle implements Oracle {
    private static final BigInteger PARTS = BigInteger.valueOf(2_048);

    private final List<Taken> taken = new ArrayList<>();
    private final long windowMicros;

    EstimateOracle(long windowMicros) {
        this.windowMicros = windowMicros;
    }

    @Override
    public void take(long atMicros, long cost) {
        taken.add(new Taken(atMicros, cost));
    }

    @Override
    public Used usedAt(long nowMicros) {
        long number = Math.floorDiv(nowMicros, windowMicros);
        long current = sumOf(number);
        BigInteger previous = BigInteger.valueOf(sumOf(number - 1));
        BigInteger window = BigInteger.valueOf(windowMicros);
        BigInteger left = BigInteger.valueOf((number + 1) * windowMicros - nowMicros);
        BigInteger[] exact = previous.multiply(left).divideAndRemainder(window);
        BigInteger rounded = previous.multiply(left)
                .multiply(PARTS)
                .add(previous.multiply(window))
                .divide(window.multiply(PARTS));
        return new Used(
                current + exact[0].longValueExact() + exact[1].signum(), current + rounded.longValueExact() + 1);
    }

    private long sumOf(long number) {
        long sum = 0;
        for (Taken one : taken) {
            sum += Math.floorDiv(one.atMicros(), windowMicros) == number ? one.cost() : 0;
        }
        return sum;
    }
}
