package io.meridian.sync.leader;

import io.meridian.sync.aggregate.Overshoot;
import io.meridian.sync.ops.SyncMetrics;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import org.jboss.logging.Logger;

/** Log of units admitted above limits: logged and counted, and the latest kept for the status. */
final class OvershootLog {
    static final int KEPT = 100;
    private static final Logger LOG = Logger.getLogger(OvershootLog.class);

    private final SyncMetrics metrics;
    private final Deque<Overshoot> latest = new ArrayDeque<>();

    OvershootLog(SyncMetrics metrics) {
        this.metrics = metrics;
    }

    /** Every replica finds them, and the leader reports. */
    void look(PartitionState partition) {
        List<Overshoot> found = partition.aggregate().overshoots();
        if (partition.role() == PartitionState.Role.LEADER) {
            found.forEach(this::report);
        }
    }

    private void report(Overshoot overshoot) {
        metrics.overshot(overshoot);
        latest.addFirst(overshoot);
        if (latest.size() > KEPT) {
            latest.removeLast();
        }
        LOG.infof(
                "more was admitted than the limit: policy=%s key=%s window=%d total=%d limit=%d excess=%d carried=%d"
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
