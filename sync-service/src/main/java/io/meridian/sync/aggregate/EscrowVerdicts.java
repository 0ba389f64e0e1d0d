package io.meridian.sync.aggregate;

import io.meridian.model.usage.RegionIncarnation;
import io.meridian.model.usage.UsageCount;
import io.meridian.model.wire.FloorRight;
import io.meridian.model.wire.VerdictRecord;
import io.meridian.sync.aggregate.Allocator.Allocation;
import io.meridian.sync.aggregate.Allocator.RegionDemand;
import io.meridian.sync.aggregate.GrantLedger.Account;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Verdicts on a limit in escrow: grants and recalls. The ledger is derived from verdicts and usage; incarnations that are not their region's
 * last keep what they were granted and get no verdict.
 */
final class EscrowVerdicts {
    /** An idle region holds at most this part of the limit, and at most so much. */
    private static final long IDLE_PART = 100;

    private static final long IDLE_MAX = 1_000;
    /** A window is granted ahead within the last part of so many of the one before it, and at most so long before. */
    private static final long LAST_PART = 5;

    private static final long LAST_MICROS_MAX = 5_000_000;
    private static final long HORIZONS_PER_WINDOW = 10;

    private final Incarnations incarnations;
    private final long horizonMicros;

    EscrowVerdicts(Incarnations incarnations, long horizonMicros) {
        this.incarnations = incarnations;
        this.horizonMicros = horizonMicros;
    }

    void add(
            LimitEntry entry,
            FloorRights rights,
            long carried,
            VerdictBatch.Echoes echoes,
            long nowMicros,
            VerdictBatch to) {
        if (entry.unaccounted) {
            return;
        }
        long limit = entry.rule.limit() - carried;
        Map<RegionIncarnation, Long> floors = floors(entry, rights);
        Allocation allocation = allocator(entry).rebalance(ledger(entry, floors), limit, demands(entry, nowMicros));
        long total = entry.total() + carried;
        boolean blocked = total >= entry.rule.limit();
        for (int incarnation : incarnations.last()) {
            RegionIncarnation name = incarnations.incarnation(incarnation);
            RegionRow row = entry.find(incarnation);
            RegionRow known = row == null ? new RegionRow(incarnation) : row;
            long granted = allocation.ledger().account(name).granted() - floors.getOrDefault(name, 0L);
            long keep = allocation.keep().getOrDefault(name, VerdictRecord.KEEP_ALL);
            if (granted > known.granted
                    || keep != VerdictRecord.KEEP_ALL
                    || blocked != known.publishedBlocked
                    || hasMissed(known)) {
                to.add(
                        entry.limit,
                        entry.rule,
                        name,
                        new VerdictBatch.Content(Math.max(0, total - known.net()), blocked, granted, keep),
                        echoes.of(incarnation),
                        entry.ratePerSecond(nowMicros));
            }
        }
    }

    /** Whether a region lacks its grant: it missed the verdict, which is published again. */
    private static boolean hasMissed(RegionRow row) {
        return row.refusedCost > 0 && row.account().unspent() >= row.refusedCost;
    }

    boolean isNearItsEnd(LimitEntry entry, long nowMicros) {
        long end = entry.endMicros();
        long last = Math.min(LAST_MICROS_MAX, (end - entry.limit.startMicros()) / LAST_PART);
        return nowMicros >= end - last && nowMicros < end;
    }

    /** Grants of the next window what the regions will need at its beginning, as they spent this one. */
    void grantAhead(LimitEntry entry, LimitEntry next, FloorRights rights, long nowMicros, VerdictBatch to) {
        List<RegionDemand> demands = demands(entry, nowMicros);
        Map<RegionIncarnation, Long> floors = floors(next, rights);
        long unasked = floors.values().stream().mapToLong(Long::longValue).sum();
        GrantLedger granted = allocator(entry)
                .preGrant(
                        ledger(next, floors),
                        ledger(entry, floors(entry, rights)),
                        next.rule.limit(),
                        demands,
                        unasked);
        for (RegionDemand demand : demands) {
            long ahead =
                    granted.account(demand.incarnation()).granted() - floors.getOrDefault(demand.incarnation(), 0L);
            if (ahead > 0) {
                VerdictBatch.Content content = new VerdictBatch.Content(0, false, ahead, VerdictRecord.KEEP_ALL);
                to.add(next.limit, next.rule, demand.incarnation(), content, 0, entry.ratePerSecond(nowMicros));
            }
        }
    }

    private Allocator allocator(LimitEntry entry) {
        long window = entry.endMicros() - entry.limit.startMicros();
        long idle = Math.max(1, Math.min(IDLE_MAX, entry.rule.limit() / IDLE_PART));
        return new Allocator(Math.min(horizonMicros, window / HORIZONS_PER_WINDOW), idle);
    }

    /** Grants and floors together. */
    private GrantLedger ledger(LimitEntry entry, Map<RegionIncarnation, Long> floors) {
        Map<RegionIncarnation, Account> accounts = new HashMap<>();
        floors.forEach((incarnation, floor) -> accounts.put(incarnation, new Account(floor, 0, UsageCount.ZERO)));
        entry.rows.forEach(row -> {
            RegionIncarnation incarnation = incarnations.incarnation(row.incarnation);
            accounts.put(incarnation, row.account(floors.getOrDefault(incarnation, 0L)));
        });
        return new GrantLedger(accounts);
    }

    /**
     * The floor of every incarnation that has one or may still decide to have it: as it reported, and until then as much as any policy may
     * give it. One that ended without a report counts as having spent it.
     */
    Map<RegionIncarnation, Long> floors(LimitEntry entry, FloorRights rights) {
        Map<RegionIncarnation, Long> floors = new HashMap<>();
        for (FloorRight right : rights.covering(entry.limit.startMicros())) {
            floors.put(right.incarnation(), right.unitsMax(entry.rule.limit()));
        }
        for (RegionRow row : entry.rows) {
            if (row.floor != RegionRow.UNDECIDED) {
                floors.put(incarnations.incarnation(row.incarnation), row.floor);
            }
        }
        return floors;
    }

    private List<RegionDemand> demands(LimitEntry entry, long nowMicros) {
        List<RegionDemand> demands = new ArrayList<>();
        for (int incarnation : incarnations.last()) {
            RegionRow row = entry.find(incarnation);
            if (row != null) {
                long tenths = entry.tenths(nowMicros);
                demands.add(new RegionDemand(
                        incarnations.incarnation(incarnation), row.demandPerSecond(tenths), row.refusedCost(tenths)));
            } else if (incarnations.isRecent(incarnation, nowMicros)) {
                demands.add(new RegionDemand(incarnations.incarnation(incarnation), 0, 0));
            }
        }
        return demands;
    }
}
