package io.meridian.simulation.invariants;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Ledger of all admissions of one limit in one window, by region and time. */
public final class AdmissionLedger {
    private final Map<String, List<Admission>> byRegion = new HashMap<>();
    private final Set<String> uncertain = new HashSet<>();
    private long total;
    private long asked;
    private long highestLimit;

    /**
     * Total of a region's admissions at some time.
     *
     * @param charged part that was charged in Redis, directly or for a lease; the rest is charged later
     */
    private record Admission(long micros, long sum, long charged) {
        static final Admission NONE = new Admission(0, 0, 0);
    }

    /** @param charged whether it was charged in the region's Redis, directly or for a lease */
    void admit(String region, long cost, boolean charged, long nowMicros) {
        total += cost;
        Admission last = last(region, nowMicros);
        byRegion.computeIfAbsent(region, absent -> new ArrayList<>())
                .add(new Admission(nowMicros, last.sum + cost, last.charged + (charged ? cost : 0)));
    }

    private Admission last(String region, long untilMicros) {
        List<Admission> all = byRegion.getOrDefault(region, List.of());
        for (int i = all.size() - 1; i >= 0; i--) {
            if (all.get(i).micros <= untilMicros) {
                return all.get(i);
            }
        }
        return Admission.NONE;
    }

    /**
     * Degraded admissions of a region may never be charged to this window: the limiter with the pending charges is gone, or the region's clock was
     * set, and a charge that seems to come from a later window goes to the open one.
     */
    public void markPendingChargesUncertain(String region) {
        Admission last = last(region, Long.MAX_VALUE);
        if (last.sum > last.charged) {
            uncertain.add(region);
        }
    }

    public void ask(long cost) {
        asked += cost;
    }

    public long asked() {
        return asked;
    }

    public long total() {
        return total;
    }

    /** Admissions of a region that were charged in its Redis. */
    public long charged(String region) {
        return charged(region, Long.MAX_VALUE);
    }

    /** The same by that time. */
    public long charged(String region, long untilMicros) {
        return last(region, untilMicros).charged;
    }

    /** Admissions of a region by that time that are or will be charged to this window. */
    public long of(String region, long untilMicros) {
        Admission last = last(region, untilMicros);
        return uncertain.contains(region) ? last.charged : last.sum;
    }

    /** Records a limit that a region or a leader may apply to the window. */
    void mayHave(long limit) {
        highestLimit = Math.max(highestLimit, limit);
    }

    long highestLimit() {
        return highestLimit;
    }
}
