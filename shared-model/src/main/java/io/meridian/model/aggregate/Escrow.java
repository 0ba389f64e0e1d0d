package io.meridian.model.aggregate;

import io.meridian.model.escrow.Account;
import io.meridian.model.escrow.Allocation;
import io.meridian.model.escrow.Allocator;
import io.meridian.model.escrow.Demand;
import io.meridian.model.escrow.GrantLedger;
import io.meridian.model.usage.RegionLife;
import io.meridian.model.usage.UsageCount;
import io.meridian.model.wire.FloorRight;
import io.meridian.model.wire.VerdictRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a leader grants and calls back of a limit in escrow. The ledger is made of what verdicts and usage have told; lives that
 * are not their region's last keep what they were granted and are told nothing.
 */
final class Escrow {
    /** An idle region holds at most this part of the limit, and at most so much. */
    private static final long IDLE_PART = 100;

    private static final long IDLE_MAX = 1_000;
    /** A window is granted ahead within the last part of so many of the one before it, and at most so long before. */
    private static final long LAST_PART = 5;

    private static final long LAST_MICROS_MAX = 5_000_000;
    private static final long HORIZONS_PER_WINDOW = 10;

    private final Lives lives;
    private final long horizonMicros;

    Escrow(Lives lives, long horizonMicros) {
        this.lives = lives;
        this.horizonMicros = horizonMicros;
    }

    void tell(Entry entry, FloorRights rights, long carried, Speech.Echoes echoes, long nowMicros, Speech to) {
        if (entry.unaccounted) {
            return;
        }
        long limit = entry.rule.limit() - carried;
        Map<RegionLife, Long> floors = floors(entry, rights);
        Allocation allocation = allocator(entry).rebalance(ledger(entry, floors), limit, demands(entry, nowMicros));
        long total = entry.total() + carried;
        boolean blocked = total >= entry.rule.limit();
        for (int life : lives.last()) {
            RegionLife name = lives.life(life);
            Row row = entry.find(life);
            Row known = row == null ? new Row(life) : row;
            long granted = allocation.ledger().account(name).granted() - floors.getOrDefault(name, 0L);
            long keep = allocation.keep().getOrDefault(name, VerdictRecord.KEEP_ALL);
            if (granted > known.granted
                    || keep != VerdictRecord.KEEP_ALL
                    || blocked != known.toldBlocked
                    || hasMissed(known)) {
                to.say(
                        entry.limit,
                        entry.rule,
                        name,
                        new Speech.Said(Math.max(0, total - known.net()), blocked, granted, keep),
                        echoes.of(life),
                        entry.ratePerSecond(nowMicros));
            }
        }
    }

    /** Whether a region lacks what it should hold: it did not hear of its grant, which is told again. */
    private static boolean hasMissed(Row row) {
        return row.refusedCost > 0 && row.account().unspent() >= row.refusedCost;
    }

    boolean isNearItsEnd(Entry entry, long nowMicros) {
        long end = entry.endMicros();
        long last = Math.min(LAST_MICROS_MAX, (end - entry.limit.startMicros()) / LAST_PART);
        return nowMicros >= end - last && nowMicros < end;
    }

    /** Grants of the next window what the regions will need at its beginning, as they spent this one. */
    void grantAhead(Entry entry, Entry next, FloorRights rights, long nowMicros, Speech to) {
        List<Demand> demands = demands(entry, nowMicros);
        Map<RegionLife, Long> floors = floors(next, rights);
        long unasked = floors.values().stream().mapToLong(Long::longValue).sum();
        GrantLedger granted = allocator(entry)
                .preGrant(
                        ledger(next, floors),
                        ledger(entry, floors(entry, rights)),
                        next.rule.limit(),
                        demands,
                        unasked);
        for (Demand demand : demands) {
            long ahead = granted.account(demand.life()).granted() - floors.getOrDefault(demand.life(), 0L);
            if (ahead > 0) {
                Speech.Said said = new Speech.Said(0, false, ahead, VerdictRecord.KEEP_ALL);
                to.say(next.limit, next.rule, demand.life(), said, 0, entry.ratePerSecond(nowMicros));
            }
        }
    }

    private Allocator allocator(Entry entry) {
        long window = entry.endMicros() - entry.limit.startMicros();
        long idle = Math.max(1, Math.min(IDLE_MAX, entry.rule.limit() / IDLE_PART));
        return new Allocator(Math.min(horizonMicros, window / HORIZONS_PER_WINDOW), idle);
    }

    /** Grants and floors together. */
    private GrantLedger ledger(Entry entry, Map<RegionLife, Long> floors) {
        Map<RegionLife, Account> accounts = new HashMap<>();
        floors.forEach((life, floor) -> accounts.put(life, new Account(floor, 0, UsageCount.ZERO)));
        entry.rows.forEach(row -> {
            RegionLife life = lives.life(row.life);
            accounts.put(life, row.account(floors.getOrDefault(life, 0L)));
        });
        return new GrantLedger(accounts);
    }

    /**
     * The floor of every incarnation that has one or may still decide to have it: as it reported, and until then as much as any policy may
     * give it. One that is over without having said is taken to have spent it.
     */
    Map<RegionLife, Long> floors(Entry entry, FloorRights rights) {
        Map<RegionLife, Long> floors = new HashMap<>();
        for (FloorRight right : rights.covering(entry.limit.startMicros())) {
            floors.put(right.life(), right.unitsMax(entry.rule.limit()));
        }
        for (Row row : entry.rows) {
            if (row.floor != Row.UNDECIDED) {
                floors.put(lives.life(row.life), row.floor);
            }
        }
        return floors;
    }

    private List<Demand> demands(Entry entry, long nowMicros) {
        List<Demand> demands = new ArrayList<>();
        for (int life : lives.last()) {
            Row row = entry.find(life);
            if (row != null) {
                long tenths = entry.tenths(nowMicros);
                demands.add(new Demand(lives.life(life), row.demandPerSecond(tenths), row.refusedCost(tenths)));
            } else if (lives.isHeard(life, nowMicros)) {
                demands.add(new Demand(lives.life(life), 0, 0));
            }
        }
        return demands;
    }
}
