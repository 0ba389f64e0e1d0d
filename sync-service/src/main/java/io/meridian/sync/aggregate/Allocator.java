package io.meridian.sync.aggregate;

import io.meridian.model.usage.RegionIncarnation;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleUnaryOperator;

/**
 * Allocation of grants by demand. What checks wait for comes first: it is granted from what is free, split by demand, and what is
 * lacking is called back from whoever holds something that nobody waits for. From what is left each region gets what it will spend
 * within the horizon, but at most one part in {@value #AHEAD_PARTS} of it at a time, so that a burst in one region does not take what
 * the next one waits for; what idle regions hold beyond their own horizon is called back when it is short. Below a lowered
 * limit everybody gives back.
 *
 * @param horizonMicros how far ahead a region is supplied
 * @param idle what even an idle region holds while nobody else wants it
 */
public record Allocator(long horizonMicros, long idle) {
    /** The share of the next window granted before it begins; the rest follows demand as it shows. */
    private static final int PRE_GRANT_PERCENT = 50;

    private static final int AHEAD_PARTS = 2;

    public Allocator {
        if (horizonMicros <= 0) {
            throw new IllegalArgumentException("horizonMicros must be positive, got " + horizonMicros);
        }
        if (idle < 0) {
            throw new IllegalArgumentException("idle must not be negative, got " + idle);
        }
    }

    /** This tick's grants and recalls. The demands name the current incarnation of every region. */
    public Allocation rebalance(GrantLedger ledger, long limit, List<RegionDemand> demands) {
        long excess = ledger.outstanding() - limit;
        if (excess > 0) {
            return new Allocation(ledger, recall(ledger, demands, new long[demands.size()], excess));
        }
        long[] weights =
                demands.stream().mapToLong(RegionDemand::unitsPerSecond).toArray();
        long[] refused = demands.stream()
                .mapToLong(demand -> Math.min(limit, demand.refusedCost()))
                .toArray();
        long[] waiting = missing(ledger, demands, refused);
        long free = ledger.free(limit);
        GrantLedger served = grant(ledger, limit, demands, WaterFilling.fill(free, waiting, weights));
        long lacking = sum(waiting) - free;
        return lacking > 0
                ? new Allocation(served, recall(served, demands, refused, lacking))
                : supply(served, limit, demands, weights);
    }

    /** Grants ahead of demand from what nobody waits for, and calls idle grants back where that is short. */
    private Allocation supply(GrantLedger ledger, long limit, List<RegionDemand> demands, long[] weights) {
        long free = ledger.free(limit);
        long[] wanted = missing(ledger, demands, targets(limit, demands, Math::ceil));
        long share = Math.max(1, free / AHEAD_PARTS);
        long[] some = Arrays.stream(wanted).map(each -> Math.min(each, share)).toArray();
        GrantLedger granted = grant(ledger, limit, demands, WaterFilling.fill(free, some, weights));
        long missing = sum(wanted) - free;
        return missing > 0
                ? new Allocation(granted, recall(granted, demands, targets(limit, demands, Math::floor), missing))
                : new Allocation(fillIdle(granted, limit, demands), Map.of());
    }

    /**
     * The next window with what is granted of it before it begins: up to half of the limit, split as all incarnations of each region spent the last
     * one.
     *
     * @param floors what of the next window is outstanding without having been granted
     */
    public GrantLedger preGrant(
            GrantLedger next, GrantLedger last, long limit, List<RegionDemand> demands, long floors) {
        long half = limit * PRE_GRANT_PERCENT / 100;
        long amount = Math.max(0, Math.min(next.free(limit), half - (next.outstanding() - floors)));
        long[] weights = demands.stream()
                .mapToLong(demand -> last.spent(demand.incarnation().region()))
                .toArray();
        long[] asked = demands.stream().mapToLong(demand -> amount).toArray();
        return grant(next, limit, demands, WaterFilling.fill(amount, asked, weights));
    }

    /**
     * Target of each region: its spending within the horizon, or the cost of the checks that wait there if that is more.
     *
     * @param whole how a part of a unit counts: one that nobody may ask for is not kept from who asks for it now
     */
    private long[] targets(long limit, List<RegionDemand> demands, DoubleUnaryOperator whole) {
        return demands.stream()
                .mapToLong(demand -> {
                    double ahead = (double) demand.unitsPerSecond() * horizonMicros / TimeUnit.SECONDS.toMicros(1);
                    return Math.min(limit, Math.max((long) whole.applyAsDouble(ahead), demand.refusedCost()));
                })
                .toArray();
    }

    /** Grants idle regions a little of what nobody wants. */
    private GrantLedger fillIdle(GrantLedger ledger, long limit, List<RegionDemand> demands) {
        long[] some = demands.stream().mapToLong(demand -> idle).toArray();
        long[] missing = missing(ledger, demands, some);
        return grant(ledger, limit, demands, WaterFilling.fill(ledger.free(limit), missing, some));
    }

    /** Units that each region may keep, so that the regions above their target together return {@code amount}. */
    private static Map<RegionIncarnation, Long> recall(
            GrantLedger ledger, List<RegionDemand> demands, long[] targets, long amount) {
        long[] idle = new long[targets.length];
        for (int i = 0; i < idle.length; i++) {
            idle[i] = Math.max(0, unspent(ledger, demands.get(i)) - targets[i]);
        }
        long[] parts = WaterFilling.fill(amount, idle, idle);
        Map<RegionIncarnation, Long> keep = new TreeMap<>();
        for (int i = 0; i < parts.length; i++) {
            if (parts[i] > 0) {
                RegionDemand demand = demands.get(i);
                keep.put(demand.incarnation(), unspent(ledger, demand) - parts[i]);
            }
        }
        return keep;
    }

    private static long[] missing(GrantLedger ledger, List<RegionDemand> demands, long[] targets) {
        long[] missing = new long[targets.length];
        for (int i = 0; i < missing.length; i++) {
            missing[i] = Math.max(0, targets[i] - unspent(ledger, demands.get(i)));
        }
        return missing;
    }

    private static GrantLedger grant(GrantLedger ledger, long limit, List<RegionDemand> demands, long[] parts) {
        GrantLedger granted = ledger;
        for (int i = 0; i < parts.length; i++) {
            granted = parts[i] > 0 ? granted.grant(demands.get(i).incarnation(), parts[i], limit) : granted;
        }
        return granted;
    }

    private static long unspent(GrantLedger ledger, RegionDemand demand) {
        return ledger.account(demand.incarnation()).unspent();
    }

    private static long sum(long[] values) {
        long sum = 0;
        for (long value : values) {
            sum += value;
        }
        return sum;
    }

    /**
     * Splits an amount by weight, nobody above what it asked for: what one does not need raises the others. The parts sum up
     * to the amount, or to all that was asked for if that is less.
     */
    static final class WaterFilling {
        private WaterFilling() {}

        static long[] fill(long amount, long[] asked, long[] weights) {
            long[] parts = new long[asked.length];
            long left = amount;
            long given;
            do {
                given = round(left, asked, weights, parts);
                left -= given;
            } while (given > 0 && left > 0);
            giveRemainder(left, asked, parts);
            return parts;
        }

        /** Gives everyone who still asks a share by weight, rounded down; even no weight at all counts for something. */
        private static long round(long left, long[] asked, long[] weights, long[] parts) {
            double weightOfAsking = 0;
            for (int i = 0; i < asked.length; i++) {
                weightOfAsking += parts[i] < asked[i] ? Math.max(1, weights[i]) : 0;
            }
            long given = 0;
            for (int i = 0; i < asked.length; i++) {
                long share = (long) (left * (double) Math.max(1, weights[i]) / weightOfAsking);
                long part = Math.min(Math.min(share, left - given), asked[i] - parts[i]);
                parts[i] += part;
                given += part;
            }
            return given;
        }

        /** Distributes the remainder of rounding, fewer units than there are parts: one unit each, in order. */
        private static void giveRemainder(long remainder, long[] asked, long[] parts) {
            long left = remainder;
            for (int i = 0; i < asked.length && left > 0; i++) {
                if (parts[i] < asked[i]) {
                    parts[i]++;
                    left--;
                }
            }
        }
    }

    /**
     * Demand of the current incarnation of a region.
     *
     * @param unitsPerSecond rate of demand, refused requests included
     * @param refusedCost cost that it lately refused for want of a grant, in total: checks wait for that much; 0 for none
     */
    public record RegionDemand(RegionIncarnation incarnation, long unitsPerSecond, long refusedCost) {
        public RegionDemand {
            if (unitsPerSecond < 0) {
                throw new IllegalArgumentException("unitsPerSecond must not be negative, got " + unitsPerSecond);
            }
            if (refusedCost < 0) {
                throw new IllegalArgumentException("refusedCost must not be negative, got " + refusedCost);
            }
        }
    }

    /**
     * Grants and recalls of one tick.
     *
     * @param ledger the ledger with the new grants
     * @param keep for regions that hold what others need: how much of what is unspent each may keep. Only the region's own
     *     return frees it; a recall that is lost or late costs time, never budget
     */
    public record Allocation(GrantLedger ledger, Map<RegionIncarnation, Long> keep) {
        public Allocation {
            keep = Map.copyOf(keep);
        }
    }
}
