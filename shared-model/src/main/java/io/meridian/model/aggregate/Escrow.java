package io.meridian.model.aggregate;

import io.meridian.model.escrow.Account;
import io.meridian.model.escrow.Allocation;
import io.meridian.model.escrow.Allocator;
import io.meridian.model.escrow.Demand;
import io.meridian.model.escrow.GrantLedger;
import io.meridian.model.usage.RegionLife;
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
    private static final long FLOOR_PART = 100;
    private static final long FLOOR_MAX = 1_000;
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

    void tell(Entry entry, long carried, Speech.Echoes echoes, long nowMicros, Speech to) {
        if (entry.unaccounted) {
            return;
        }
        long limit = entry.rule.limit() - carried;
        Allocation allocation = allocator(entry).rebalance(ledger(entry), limit, demands(entry, nowMicros));
        long total = entry.total() + carried;
        boolean blocked = total >= entry.rule.limit();
        for (int life : lives.last()) {
            RegionLife name = lives.life(life);
            Row row = entry.find(life);
            Row known = row == null ? new Row(life) : row;
            long granted = allocation.ledger().account(name).granted();
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
    void grantAhead(Entry entry, Entry next, long nowMicros, Speech to) {
        List<Demand> demands = demands(entry, nowMicros);
        GrantLedger granted = allocator(entry).preGrant(ledger(next), ledger(entry), next.rule.limit(), demands);
        for (Demand demand : demands) {
            Account account = granted.account(demand.life());
            if (account.granted() > 0) {
                Speech.Said said = new Speech.Said(0, false, account.granted(), VerdictRecord.KEEP_ALL);
                to.say(next.limit, next.rule, demand.life(), said, 0, entry.ratePerSecond(nowMicros));
            }
        }
    }

    private Allocator allocator(Entry entry) {
        long window = entry.endMicros() - entry.limit.startMicros();
        long floor = Math.max(1, Math.min(FLOOR_MAX, entry.rule.limit() / FLOOR_PART));
        return new Allocator(Math.min(horizonMicros, window / HORIZONS_PER_WINDOW), floor);
    }

    private GrantLedger ledger(Entry entry) {
        Map<RegionLife, Account> accounts = new HashMap<>();
        entry.rows.forEach(row -> accounts.put(lives.life(row.life), row.account()));
        return new GrantLedger(accounts);
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
