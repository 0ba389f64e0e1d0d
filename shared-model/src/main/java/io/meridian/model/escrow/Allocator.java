package io.meridian.model.escrow;

import io.meridian.model.usage.RegionLife;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Moves grants towards demand. Each region is to hold what it will spend within the horizon, and at least the floor
 * while there is enough for all; when there is not, what is free is split by demand, and what idle regions hold beyond
 * their own horizon is called back.
 *
 * @param horizonMicros how far ahead a region is supplied
 * @param floor what even an idle region holds, so that its first request need not wait for the leader
 */
public record Allocator(long horizonMicros, long floor) {
    /** The share of the next window granted before it begins; the rest follows demand as it shows. */
    private static final int PRE_GRANT_PERCENT = 50;

    public Allocator {
        if (horizonMicros <= 0) {
            throw new IllegalArgumentException("horizonMicros must be positive, got " + horizonMicros);
        }
        if (floor < 0) {
            throw new IllegalArgumentException("floor must not be negative, got " + floor);
        }
    }

    /** This tick's grants and recalls. The demands name the current life of every region. */
    public Allocation rebalance(GrantLedger ledger, long limit, List<Demand> demands) {
        long[] weights = demands.stream().mapToLong(Demand::unitsPerSecond).toArray();
        long[] wanted = demands.stream()
                .mapToLong(demand -> Math.max(0, target(demand) - unspent(ledger, demand)))
                .toArray();
        long free = ledger.free(limit);
        long missing = sum(wanted) - free;
        GrantLedger granted = grant(ledger, limit, demands, WaterFilling.fill(free, wanted, weights));
        return missing > 0
                ? new Allocation(granted, recall(granted, demands, missing))
                : new Allocation(fillFloors(granted, limit, demands), Map.of());
    }

    /** The first ledger of the next window: half of the limit, split as the last window was spent. */
    public GrantLedger preGrant(GrantLedger last, long limit, List<Demand> demands) {
        long[] weights = demands.stream()
                .mapToLong(demand -> last.account(demand.life()).spent())
                .toArray();
        long amount = limit * PRE_GRANT_PERCENT / 100;
        long[] asked = demands.stream().mapToLong(demand -> amount).toArray();
        return grant(GrantLedger.EMPTY, limit, demands, WaterFilling.fill(amount, asked, weights));
    }

    private long target(Demand demand) {
        double units = (double) demand.unitsPerSecond() * horizonMicros / TimeUnit.SECONDS.toMicros(1);
        return (long) Math.ceil(units);
    }

    /** Grants idle regions their floor from what nobody wants. */
    private GrantLedger fillFloors(GrantLedger ledger, long limit, List<Demand> demands) {
        long[] missing = demands.stream()
                .mapToLong(demand -> Math.max(0, floor - unspent(ledger, demand)))
                .toArray();
        long[] alike = new long[missing.length];
        long free = ledger.free(limit);
        return sum(missing) > free ? ledger : grant(ledger, limit, demands, WaterFilling.fill(free, missing, alike));
    }

    /** What idle regions may keep, so that together they give back {@code amount}, as far as they have it. */
    private Map<RegionLife, Long> recall(GrantLedger ledger, List<Demand> demands, long amount) {
        long[] idle = demands.stream()
                .mapToLong(demand -> Math.max(0, unspent(ledger, demand) - target(demand)))
                .toArray();
        long[] parts = WaterFilling.fill(amount, idle, idle);
        Map<RegionLife, Long> keep = new TreeMap<>();
        for (int i = 0; i < parts.length; i++) {
            if (parts[i] > 0) {
                Demand demand = demands.get(i);
                keep.put(demand.life(), unspent(ledger, demand) - parts[i]);
            }
        }
        return keep;
    }

    private static GrantLedger grant(GrantLedger ledger, long limit, List<Demand> demands, long[] parts) {
        GrantLedger granted = ledger;
        for (int i = 0; i < parts.length; i++) {
            granted = parts[i] > 0 ? granted.grant(demands.get(i).life(), parts[i], limit) : granted;
        }
        return granted;
    }

    private static long unspent(GrantLedger ledger, Demand demand) {
        return ledger.account(demand.life()).unspent();
    }

    private static long sum(long[] values) {
        long sum = 0;
        for (long value : values) {
            sum += value;
        }
        return sum;
    }
}
