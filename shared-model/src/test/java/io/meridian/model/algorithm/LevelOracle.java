package io.meridian.model.algorithm;

import java.math.BigInteger;

/**
 * A bucket by its level, full at first: it gains {@code limit x elapsed / window} tokens up to its capacity. The level
 * is a fraction over the window's microseconds, of any size, so nothing is ever rounded.
 */
final class LevelOracle implements Oracle {
    private final BigInteger limit;
    private final BigInteger window;
    private final BigInteger full;
    private BigInteger level;
    private long atMicros = Long.MIN_VALUE;

    LevelOracle(Quota quota) {
        limit = BigInteger.valueOf(quota.limit());
        window = BigInteger.valueOf(Draw.lengthMicros(quota.window()));
        full = window.multiply(BigInteger.valueOf(quota.limit() + quota.burst()));
        level = full;
    }

    @Override
    public void take(long nowMicros, long cost) {
        fill(nowMicros);
        level = level.subtract(window.multiply(BigInteger.valueOf(cost)));
    }

    @Override
    public Used usedAt(long nowMicros) {
        fill(nowMicros);
        BigInteger[] missing = full.subtract(level).divideAndRemainder(window);
        return Used.exactly(missing[0].longValueExact() + missing[1].signum());
    }

    private void fill(long nowMicros) {
        BigInteger elapsed = BigInteger.valueOf(nowMicros).subtract(BigInteger.valueOf(atMicros));
        level = level.add(elapsed.multiply(limit)).min(full);
        atMicros = nowMicros;
    }
}
