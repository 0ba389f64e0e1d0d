package io.meridian.limiter.policy.table;

import org.jspecify.annotations.Nullable;

/**
 * A large table and the few changes since it was packed, removals included, so that a change costs what the changes are,
 * not what the table is.
 *
 * @param size how many keys are there
 */
record LayeredTable(PackedTable base, PackedTable delta, long size) {
    static LayeredTable empty(int payloadLongs) {
        PackedTable empty = PackedTable.empty(payloadLongs);
        return new LayeredTable(empty, empty, 0);
    }

    /** The payload of a key, null if it is not there. */
    long @Nullable [] find(byte[] key, int keyLength) {
        long[] changed = delta.find(key, 0, keyLength);
        if (changed != null) {
            return changed[0] == PackedTable.REMOVED ? null : changed;
        }
        return base.find(key, 0, keyLength);
    }

    long bytes() {
        return base.bytes() + delta.bytes();
    }

    /** Shows what is there, in no particular order. */
    void forEach(PackedTable.Visitor visitor) {
        base.forEach((bytes, from, length, payload) -> {
            if (delta.find(bytes, from, length) == null) {
                visitor.visit(bytes, from, length, payload);
            }
        });
        delta.forEach((bytes, from, length, payload) -> {
            if (payload[0] != PackedTable.REMOVED) {
                visitor.visit(bytes, from, length, payload);
            }
        });
    }
}
