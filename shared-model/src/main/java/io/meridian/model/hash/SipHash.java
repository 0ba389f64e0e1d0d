package io.meridian.model.hash;

/**
 * SipHash-2-4 with a result of 64 bits (Aumasson and Bernstein, 2012): without its key of 128 bits nobody can compute which inputs have the
 * same hash, or one that begins with certain bits. Immutable; hashing allocates nothing.
 */
public final class SipHash {
    private static final int WORD = Long.BYTES;
    private static final int NARROW = 1;
    private static final int WIDE = 2;
    private static final int NARROW_MAX = 0xff;

    private final long key0;
    private final long key1;

    /** The key as two little-endian numbers: the first eight bytes, then the others. */
    public SipHash(long key0, long key1) {
        this.key0 = key0;
        this.key1 = key1;
    }

    public long of(byte[] bytes, int from, int length) {
        State state = new State(key0, key1);
        int rest = length % WORD;
        int end = from + length - rest;
        for (int at = from; at < end; at += WORD) {
            state.add(word(bytes, at, WORD));
        }
        return state.end(word(bytes, end, rest), length);
    }

    /** A little-endian number of some bytes. */
    private static long word(byte[] bytes, int from, int length) {
        long word = 0;
        for (int i = 0; i < length; i++) {
            word |= (bytes[from + i] & 0xffL) << (Byte.SIZE * i);
        }
        return word;
    }

    /**
     * Of two texts, such that different pairs are different messages: the bytes of a character (1 byte) and the length of the first text
     * (7), then the characters of both, little-endian. A character is one byte if all of them fit, else two.
     */
    public long of(String first, String second) {
        State state = new State(key0, key1);
        state.add(NARROW | (long) first.length() << Byte.SIZE);
        if (!state.addNarrow(first) || !state.addNarrow(second)) {
            return ofWide(first, second);
        }
        return state.end(state.word, WORD + first.length() + second.length());
    }

    private long ofWide(String first, String second) {
        State state = new State(key0, key1);
        state.add(WIDE | (long) first.length() << Byte.SIZE);
        state.addWide(first);
        state.addWide(second);
        return state.end(state.word, WORD + WIDE * (first.length() + second.length()));
    }

    /** The state of one hash; it does not outlive the call, so the compiler keeps it in registers. */
    private static final class State {
        private long v0;
        private long v1;
        private long v2;
        private long v3;
        /** Of texts, the bytes that do not make a word yet, and where the next one goes. */
        private long word;

        private int shift;

        State(long key0, long key1) {
            v0 = key0 ^ 0x736f6d6570736575L;
            v1 = key1 ^ 0x646f72616e646f6dL;
            v2 = key0 ^ 0x6c7967656e657261L;
            v3 = key1 ^ 0x7465646279746573L;
        }

        void add(long word) {
            v3 ^= word;
            round();
            round();
            v0 ^= word;
        }

        /** False, with a part of it added, if a character does not fit into a byte. */
        boolean addNarrow(String text) {
            for (int i = 0; i < text.length(); i++) {
                char next = text.charAt(i);
                if (next > NARROW_MAX) {
                    return false;
                }
                append(next, Byte.SIZE);
            }
            return true;
        }

        void addWide(String text) {
            for (int i = 0; i < text.length(); i++) {
                append(text.charAt(i), Character.SIZE);
            }
        }

        private void append(char next, int bits) {
            word |= (long) next << shift;
            shift += bits;
            if (shift == Long.SIZE) {
                add(word);
                word = 0;
                shift = 0;
            }
        }

        /** The last bytes, fewer than a word, and the length of all. */
        long end(long rest, int length) {
            add(rest | (long) length << (Long.SIZE - Byte.SIZE));
            v2 ^= 0xff;
            round();
            round();
            round();
            round();
            return v0 ^ v1 ^ v2 ^ v3;
        }

        private void round() {
            v0 += v1;
            v2 += v3;
            v1 = Long.rotateLeft(v1, 13) ^ v0;
            v3 = Long.rotateLeft(v3, 16) ^ v2;
            v0 = Long.rotateLeft(v0, 32);
            v2 += v1;
            v0 += v3;
            v1 = Long.rotateLeft(v1, 17) ^ v2;
            v3 = Long.rotateLeft(v3, 21) ^ v0;
            v2 = Long.rotateLeft(v2, 32);
        }
    }
}
