package io.meridian.model.match;

/** Sets of policies as bits, in words of 64; a policy's bit is its place in the order of evaluation. */
final class Bits {
    private Bits() {}

    static int words(int size) {
        return (size + Long.SIZE - 1) / Long.SIZE;
    }

    static void set(long[] bits, int index) {
        bits[index / Long.SIZE] |= 1L << (index % Long.SIZE);
    }

    static long[] union(long[] a, long[] b) {
        long[] union = a.clone();
        for (int i = 0; i < b.length; i++) {
            union[i] |= b[i];
        }
        return union;
    }
}
