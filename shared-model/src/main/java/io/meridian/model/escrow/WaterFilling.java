package io.meridian.model.escrow;

/**
 * Splits an amount by weight, nobody above what it asked for: what one does not need raises the others. The parts sum up
 * to the amount, or to all that was asked for if that is less.
 */
final class WaterFilling {
    /** Weights are scaled to this, so that a product with an amount of 10^12 fits. */
    private static final long WEIGHT_MAX = 1 << 20;

    private WaterFilling() {}

    static long[] fill(long amount, long[] asked, long[] weights) {
        long[] parts = new long[asked.length];
        long[] scaled = scaled(weights);
        long left = amount;
        long given;
        do {
            given = round(left, asked, scaled, parts);
            left -= given;
        } while (given > 0 && left > 0);
        return withRemainder(left, asked, parts);
    }

    /** Gives everyone who still asks a share by weight, rounded down. */
    private static long round(long left, long[] asked, long[] weights, long[] parts) {
        long weightOfAsking = 0;
        for (int i = 0; i < asked.length; i++) {
            weightOfAsking += parts[i] < asked[i] ? weights[i] : 0;
        }
        long given = 0;
        for (int i = 0; i < asked.length; i++) {
            if (parts[i] < asked[i]) {
                long part = Math.min(asked[i] - parts[i], left * weights[i] / weightOfAsking);
                parts[i] += part;
                given += part;
            }
        }
        return given;
    }

    /** What rounding left over: fewer units than there are parts, one each in order. */
    private static long[] withRemainder(long left, long[] asked, long[] parts) {
        for (int i = 0; i < asked.length && left > 0; i++) {
            if (parts[i] < asked[i]) {
                parts[i]++;
                left--;
            }
        }
        return parts;
    }

    private static long[] scaled(long[] weights) {
        long largest = 1;
        for (long weight : weights) {
            largest = Math.max(largest, weight);
        }
        long[] scaled = new long[weights.length];
        for (int i = 0; i < weights.length; i++) {
            scaled[i] = Math.max(1, (long) ((double) weights[i] / largest * WEIGHT_MAX));
        }
        return scaled;
    }
}
