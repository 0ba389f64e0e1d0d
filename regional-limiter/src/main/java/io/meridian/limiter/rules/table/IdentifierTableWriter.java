package io.meridian.limiter.rules.table;

import io.meridian.limiter.rules.table.IdentifierTable.IdentifierKey;
import io.meridian.limiter.rules.table.IdentifierTable.PrefixLengths;
import io.meridian.limiter.rules.table.IdentifierTable.TypeTable;
import io.meridian.limiter.rules.table.PackedTable.Arena;
import io.meridian.limiter.rules.table.PackedTable.LayeredTable;
import io.meridian.limiter.rules.table.PackedTable.PackedTableBuilder;
import io.meridian.model.rules.Identifier;
import java.util.HashMap;
import java.util.Map;

/** Writer of a table of clients, which publishes immutable tables. */
public final class IdentifierTableWriter {
    private final int payloadLongs;
    private final Map<String, TypeWriter> byType = new HashMap<>();
    private IdentifierTable published = IdentifierTable.EMPTY;
    private boolean changed;

    public IdentifierTableWriter(int payloadLongs) {
        this.payloadLongs = payloadLongs;
    }

    /** Whether the entry is there now; a full table takes no more. */
    public boolean put(Identifier identifier, long... payload) {
        boolean taken = byType.computeIfAbsent(identifier.type(), type -> new TypeWriter(type, payloadLongs))
                .put(IdentifierKey.of(identifier), payload);
        changed |= taken;
        return taken;
    }

    public void remove(Identifier identifier) {
        TypeWriter writer = byType.get(identifier.type());
        if (writer != null) {
            writer.remove(IdentifierKey.of(identifier));
            changed = true;
        }
    }

    /** Immutable table of the current entries: the same object as before if nothing changed. */
    public IdentifierTable publish() {
        if (changed) {
            published = new IdentifierTable(
                    byType.values().stream().map(TypeWriter::publish).toList());
            changed = false;
        }
        return published;
    }

    private static final class TypeWriter {
        private final String type;
        private final TableWriter table;
        private final PrefixLengths.Counts prefixes = new PrefixLengths.Counts();

        TypeWriter(String type, int payloadLongs) {
            this.type = type;
            this.table = new TableWriter(payloadLongs);
        }

        boolean put(byte[] key, long[] payload) {
            long before = table.size();
            boolean taken = table.put(key, payload);
            count(key, before);
            return taken;
        }

        void remove(byte[] key) {
            long before = table.size();
            table.remove(key);
            count(key, before);
        }

        private void count(byte[] key, long before) {
            if (type.equals(Identifier.ADDRESS)) {
                prefixes.add(key, table.size() - before);
            }
        }

        TypeTable publish() {
            return type.equals(Identifier.ADDRESS)
                    ? new TypeTable.Addresses(type, table.publish(), prefixes.lengths())
                    : new TypeTable.Texts(type, table.publish());
        }
    }

    /**
     * Writer of one table: collects changes and publishes the result. Changes stay a layer of their own until they are a share of
     * the table; then all is packed anew.
     */
    static final class TableWriter {
        /** The changes are packed into the table when they exceed this number and this share of it. */
        static final int DELTA_MAX = 1_024;

        static final int DELTA_SHARE = 16;

        /** New keys beyond this number are refused. */
        static final int ENTRIES_MAX = 20_000_000;

        /** New keys are refused when keys and payloads take this much. */
        static final int ARENA_MAX = 1 << 30;

        private final int payloadLongs;
        private final int arenaMax;
        private LayeredTable published;
        private PackedTableBuilder delta;
        private boolean changed;
        private long size;

        TableWriter(int payloadLongs) {
            this(payloadLongs, ARENA_MAX);
        }

        TableWriter(int payloadLongs, int arenaMax) {
            this.payloadLongs = payloadLongs;
            this.arenaMax = arenaMax;
            this.published = LayeredTable.empty(payloadLongs);
            this.delta = new PackedTableBuilder(payloadLongs);
        }

        /** Whether the key is there now; not if the table is full. */
        boolean put(byte[] key, long... payload) {
            boolean fresh = !has(key);
            if (fresh && isFull(key.length)) {
                return false;
            }
            delta.put(key, 0, key.length, payload);
            size += fresh ? 1 : 0;
            changed = true;
            return true;
        }

        void remove(byte[] key) {
            if (has(key)) {
                long[] removed = new long[payloadLongs];
                removed[0] = PackedTable.REMOVED;
                delta.put(key, 0, key.length, removed);
                size--;
                changed = true;
            }
        }

        long size() {
            return size;
        }

        LayeredTable publish() {
            if (changed) {
                changed = false;
                if (delta.size() > Math.max(DELTA_MAX, published.base().size() / DELTA_SHARE)) {
                    fold();
                } else {
                    published = new LayeredTable(published.base(), delta.build(), size);
                }
            }
            return published;
        }

        private boolean has(byte[] key) {
            Long pending = delta.first(key, key.length);
            return pending == null ? published.base().find(key, 0, key.length) != null : pending != PackedTable.REMOVED;
        }

        private boolean isFull(int keyLength) {
            long arena = (long) published.base().arenaBytes() + delta.arenaBytes();
            return size >= ENTRIES_MAX || arena + Arena.entryBytes(keyLength, payloadLongs) > arenaMax;
        }

        private void fold() {
            boolean first = published.base().size() == 0 && size == delta.size();
            published = new LayeredTable(first ? delta.build() : folded(), PackedTable.empty(payloadLongs), size);
            delta = new PackedTableBuilder(payloadLongs);
        }

        private PackedTable folded() {
            PackedTableBuilder all = new PackedTableBuilder(payloadLongs);
            new LayeredTable(published.base(), delta.build(), size).forEach(all::put);
            return all.build();
        }
    }
}
