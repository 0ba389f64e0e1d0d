package io.meridian.model.escrow;

/**
 * Splits an amount by weight, nobody above what it asked for: what one does not need raises the others. The parts sum up
 * to the amount, or to all that was asked for if that is less.
 */
final class WaterFilling {
    private WaterFilling() {}

    static long[] fill(long amount, long[] asked, long[] weights) {
        long[] parts = new long[asked.length];
        long left = amount;
        long given;
        do {
            given = round(left, asked, weights, parts);
            left -= given;
        } while (given > 0 && left > 0);
        giveRemainder(left, asked, parts);
        return parts;
    }

    /** Gives everyone who still asks a share by weight, rounded down; even no weight at all counts for something. */
    private static long round(long left, long[] asked, long[] weights, long[] parts) {
        double weightOfAsking = 0;
        for (int i = 0; i < asked.length; i++) {
            weightOfAsking += parts[i] < asked[i] ? Math.max(1, weights[i]) : 0;
        }
        long given = 0;
        for (int i = 0; i < asked.length; i++) {
            long share = (long) (left * (double) Math.max(1, weights[i]) / weightOfAsking);
            long part = Math.min(Math.min(share, left - given), asked[i] - parts[i]);
            parts[i] += part;
            given += part;
        }
        return given;
    }

    /** What rounding left over: fewer units than there are parts, one each in order. */
    private static void giveRemainder(long remainder, long[] asked, long[] parts) {
        long left = remainder;
        for (int i = 0; i < asked.length && left > 0; i++) {
            if (parts[i] < asked[i]) {
                parts[i]++;
                left--;
            }
        }
    }
}
