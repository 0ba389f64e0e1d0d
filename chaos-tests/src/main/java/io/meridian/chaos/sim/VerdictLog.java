package io.meridian.chaos.sim;

import io.meridian.model.wire.FloorRight;
import io.meridian.model.wire.LeaderBeat;
import io.meridian.model.wire.VerdictRecord;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One partition of verdicts: what readers of committed records see ends where the first transaction is open. */
final class VerdictLog {
    private final List<Entry> entries = new ArrayList<>();
    private final Set<Transaction> visible = new HashSet<>();

    /** @param marker whether it only says that a transaction has ended */
    record Entry(
            Transaction transaction,
            @Nullable LeaderBeat beat,
            @Nullable FloorRight floor,
            @Nullable VerdictRecord verdict,
            boolean marker) {}

    void add(Entry entry) {
        entries.add(entry);
    }

    /** The end of a transaction is there for readers to see. */
    void end(Transaction transaction) {
        entries.add(new Entry(transaction, null, null, null, true));
        visible.add(transaction);
    }

    Entry get(long offset) {
        return entries.get((int) offset);
    }

    long end() {
        return entries.size();
    }

    /** From where on nobody may read yet, looking from here. */
    long stable(long from) {
        for (long offset = from; offset < entries.size(); offset++) {
            Entry entry = get(offset);
            if (!entry.marker && !visible.contains(entry.transaction)) {
                return offset;
            }
        }
        return entries.size();
    }
}
