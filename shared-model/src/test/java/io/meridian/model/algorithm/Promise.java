package io.meridian.model.algorithm;

import java.math.BigInteger;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;

/** The bounds the algorithms promise, checked over what was admitted by trying every interval. */
final class Promise {
    private Promise() {}

    /** What {@code algorithm} promises; {@code taken} is in order of time. */
    static void holds(Algorithm algorithm, List<Taken> taken, Quota quota) {
        long windowMicros = Draw.lengthMicros(quota.window());
        switch (algorithm) {
            case FIXED_WINDOW -> holdsInEveryWindow(taken, WindowOracle.spans(windowMicros), quota.limit());
            case SLIDING_WINDOW_LOG, SLIDING_WINDOW_COUNTER -> holdsInEveryInterval(taken, windowMicros, quota.limit());
            case TOKEN_BUCKET, LEAKY_BUCKET, GCRA -> holdsAtTheRate(taken, quota);
            case SLIDING_WINDOW_ESTIMATE -> {}
        }
    }

    /** At most {@code limit} in every interval of {@code lengthMicros}; {@code taken} is in order of time. */
    static void holdsInEveryInterval(List<Taken> taken, long lengthMicros, long limit) {
        for (int first = 0; first < taken.size(); first++) {
            long sum = sumFrom(taken, first, lengthMicros);
            Taken from = taken.get(first);
            Claim.that(sum <= limit, () -> sum + " above " + limit + " in the interval from " + from);
        }
    }

    /** The most in any interval of {@code lengthMicros}. */
    static long most(List<Taken> taken, long lengthMicros) {
        long most = 0;
        for (int first = 0; first < taken.size(); first++) {
            most = Math.max(most, sumFrom(taken, first, lengthMicros));
        }
        return most;
    }

    /** At most {@code limit} in every window, a window being whatever {@code windowOf} calls by one name. */
    static void holdsInEveryWindow(List<Taken> taken, LongFunction<?> windowOf, long limit) {
        Map<Object, Long> sums = new HashMap<>();
        for (Taken one : taken) {
            sums.merge(windowOf.apply(one.atMicros()), one.cost(), Long::sum);
        }
        sums.forEach((window, sum) -> Claim.that(sum <= limit, () -> sum + " above " + limit + " in " + window));
    }

    /** At most {@code capacity + limit x t / window} in every interval of every length {@code t}. */
    static void holdsAtTheRate(List<Taken> taken, Quota quota) {
        BigInteger window = BigInteger.valueOf(Draw.lengthMicros(quota.window()));
        BigInteger limit = BigInteger.valueOf(quota.limit());
        for (int first = 0; first < taken.size(); first++) {
            long sum = 0;
            for (Taken one : taken.subList(first, taken.size())) {
                sum += one.cost();
                if (sum > quota.capacity()) {
                    BigInteger over = BigInteger.valueOf(sum - quota.capacity()).multiply(window);
                    long lengthMicros = one.atMicros() - taken.get(first).atMicros();
                    boolean holds = over.compareTo(limit.multiply(BigInteger.valueOf(lengthMicros))) <= 0;
                    long total = sum;
                    Claim.that(holds, () -> total + " above the rate within " + lengthMicros + " of " + quota);
                }
            }
        }
    }

    private static long sumFrom(List<Taken> taken, int first, long lengthMicros) {
        long fromMicros = taken.get(first).atMicros();
        long sum = 0;
        for (int i = first; i < taken.size() && taken.get(i).atMicros() - fromMicros < lengthMicros; i++) {
            sum += taken.get(i).cost();
        }
        return sum;
    }
}
