package io.meridian.limiter.policy.table;

import io.meridian.model.rules.Identifier;
import java.util.HashMap;
import java.util.Map;

/** The one who changes a table of clients, and publishes what then holds. */
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

    /** What holds now: the same table as before if nothing changed. */
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
}
