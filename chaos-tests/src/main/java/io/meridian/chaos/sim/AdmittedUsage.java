package io.meridian.chaos.sim;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What was admitted of one limit in one window, by whom and when, as only the simulation can know it. */
final class AdmittedUsage {
    private final Map<String, List<Admission>> byRegion = new HashMap<>();
    private final Set<String> astray = new HashSet<>();
    private long total;
    private long asked;
    private long highestLimit;

    /**
     * What a region had admitted at some time.
     *
     * @param sum all of it
     * @param charged what of that its Redis was asked for, itself or for a lease; the rest is charged later
     */
    private record Admission(long micros, long sum, long charged) {
        static final Admission NONE = new Admission(0, 0, 0);
    }

    /** @param charged whether the region's Redis was asked for it, itself or for a lease */
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
     * What a region had admitted without Redis is not sure to be charged in this window: who owes it is gone, or the region's clock was
     * set meanwhile, and what seems to come from a later window is charged to the one that is open.
     */
    void debtsAreAstray(String region) {
        Admission last = last(region, Long.MAX_VALUE);
        if (last.sum > last.charged) {
            astray.add(region);
        }
    }

    void ask(long cost) {
        asked += cost;
    }

    long asked() {
        return asked;
    }

    long total() {
        return total;
    }

    /** What a region has admitted of what its Redis was asked for. */
    long charged(String region) {
        return charged(region, Long.MAX_VALUE);
    }

    /** The same by then. */
    long charged(String region, long untilMicros) {
        return last(region, untilMicros).charged;
    }

    /** What a region had admitted by then and has charged to this window, or is going to. */
    long of(String region, long untilMicros) {
        Admission last = last(region, untilMicros);
        return astray.contains(region) ? last.charged : last.sum;
    }

    /** Some region, or a leader, may count the window under this limit. */
    void mayHave(long limit) {
        highestLimit = Math.max(highestLimit, limit);
    }

    long highestLimit() {
        return highestLimit;
    }
}
