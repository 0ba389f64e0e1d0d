package io.meridian.sync.aggregate;

import io.meridian.sync.aggregate.LimitTable.LimitIdentity;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Queue of limits that may need verdicts: changed limits are due at once, small changes after a delay. */
final class ChangeQueue {
    private final long laterMicros;
    private final Map<LimitIdentity, VerdictBatch.Echoes> now = new LinkedHashMap<>();
    /** When each is due; the first is due first, because all wait equally long. */
    private final Map<LimitIdentity, Long> later = new LinkedHashMap<>();

    /** Limits of the last {@link #due}. */
    private final Set<LimitIdentity> taken = new HashSet<>();

    ChangeQueue(long laterMicros) {
        this.laterMicros = laterMicros;
    }

    /**
     * One limit to look at.
     *
     * @param all whether also what hardly moved is published
     */
    record Due(LimitIdentity identity, boolean all, VerdictBatch.Echoes echoes) {}

    /** Marks a limit as changed. A change after the last {@link #due} is another one, which its publication does not settle. */
    VerdictBatch.Echoes changed(LimitIdentity identity) {
        return now.compute(
                identity,
                (same, before) -> before == null
                        ? new VerdictBatch.Echoes()
                        : taken.remove(identity) ? new VerdictBatch.Echoes(before) : before);
    }

    void later(LimitIdentity identity, long nowMicros) {
        later.putIfAbsent(identity, nowMicros + laterMicros);
    }

    /** Limits to look at now. What is due later has half of the room at most while there is something new: after a takeover it may be everything. */
    List<Due> due(long nowMicros, int max) {
        List<Due> due = new ArrayList<>();
        taken.clear();
        int room = now.isEmpty() ? max : Math.max(1, max / 2);
        for (Map.Entry<LimitIdentity, Long> each : later.entrySet()) {
            if (!isDue(each.getValue(), nowMicros) || due.size() >= room) {
                break;
            }
            VerdictBatch.Echoes echoes = now.getOrDefault(each.getKey(), new VerdictBatch.Echoes());
            due.add(new Due(each.getKey(), true, echoes));
            taken.add(each.getKey());
        }
        Iterator<Map.Entry<LimitIdentity, VerdictBatch.Echoes>> changed =
                now.entrySet().iterator();
        while (due.size() < max && changed.hasNext()) {
            Map.Entry<LimitIdentity, VerdictBatch.Echoes> each = changed.next();
            Long dueMicros = later.get(each.getKey());
            if (taken.add(each.getKey())) {
                due.add(new Due(each.getKey(), dueMicros != null && isDue(dueMicros, nowMicros), each.getValue()));
            }
        }
        return due;
    }

    /** Whether a limit is due. One that is due later than the longest delay is due now, because the clock was set back. */
    private boolean isDue(long dueMicros, long nowMicros) {
        return dueMicros <= nowMicros || dueMicros > nowMicros + laterMicros;
    }

    void clear() {
        now.clear();
        later.clear();
        taken.clear();
    }

    /** Verdicts on these are committed. */
    void published(List<Due> due) {
        for (Due each : due) {
            now.remove(each.identity, each.echoes);
            if (each.all) {
                later.remove(each.identity);
            }
        }
    }
}
