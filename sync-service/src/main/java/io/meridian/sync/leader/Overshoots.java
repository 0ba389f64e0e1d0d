package io.meridian.sync.leader;

import io.meridian.sync.aggregate.Overshoot;
import io.meridian.sync.ops.SyncMetrics;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import org.jboss.logging.Logger;

/** What was admitted above limits, told in the log and counted; the latest are kept for whoever asks. */
final class Overshoots {
    static final int KEPT = 100;
    private static final Logger LOG = Logger.getLogger(Overshoots.class);

    private final SyncMetrics metrics;
    private final Deque<Overshoot> latest = new ArrayDeque<>();

    Overshoots(SyncMetrics metrics) {
        this.metrics = metrics;
    }

    /** Every replica finds them, and the leader tells. */
    void look(Partition partition) {
        List<Overshoot> found = partition.book().overshoots();
        if (partition.role() == Role.LEADER) {
            found.forEach(this::tell);
        }
    }

    private void tell(Overshoot overshoot) {
        metrics.overshot(overshoot);
        latest.addFirst(overshoot);
        if (latest.size() > KEPT) {
            latest.removeLast();
        }
        LOG.infof(
                "what was admitted above a limit: policy=%s key=%s window=%d total=%d limit=%d excess=%d carried=%d"
                        + " after_heal=%s",
                overshoot.limit().policyId(),
                overshoot.limit().key(),
                overshoot.limit().startMicros(),
                overshoot.total(),
                overshoot.rule().limit(),
                overshoot.excess(),
                overshoot.carried(),
                overshoot.rule().afterHeal().name().toLowerCase(Locale.ROOT));
    }

    List<Overshoot> latest() {
        return List.copyOf(latest);
    }
}
