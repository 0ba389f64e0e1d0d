package io.meridian.sync.aggregate;

import io.meridian.model.usage.RegionIncarnation;
import io.meridian.model.usage.UsageCount;
import io.meridian.sync.aggregate.Allocator.Allocation;
import io.meridian.sync.aggregate.Allocator.RegionDemand;
import io.meridian.sync.aggregate.GrantLedger.Account;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * One window in escrow over an unreliable network: the real ledger, allocator and holdings, with messages that are lost,
 * repeated and reordered, regions that lose their data, and a limit that changes. What it must never see is more spent,
 * over all incarnations of all regions, than the highest limit there was.
 */
final class EscrowWorld {
    static final int REGIONS = 5;

    /** The guards of the protocol, so that a test can take one away. */
    enum Broken {
        NOTHING,
        GRANTS_WITHOUT_LOOKING_AT_WHAT_IS_OUTSTANDING,
        TAKES_BACK_WITHOUT_A_RETURN,
        FORGETS_WHAT_A_LOST_LIFE_HELD,
        REPORTS_BEFORE_IT_LOWERS_ITS_LINE
    }

    private record Report(RegionIncarnation incarnation, long returned, UsageCount usage) {}

    private record Grant(RegionIncarnation incarnation, long granted, long keep) {}

    private final SplittableRandom random;
    private final Broken broken;
    private final Allocator allocator;
    private final RegionIncarnation[] incarnations = new RegionIncarnation[REGIONS];
    private final Map<RegionIncarnation, Holding> holdings = new HashMap<>();
    private final List<Report> reports = new ArrayList<>();
    private final List<Grant> grants = new ArrayList<>();
    private GrantLedger ledger = GrantLedger.EMPTY;
    private long limit;
    private long highestLimit;
    private long spentByLostLives;

    EscrowWorld(SplittableRandom random, Broken broken) {
        this.random = random;
        this.broken = broken;
        this.limit = 1L + random.nextInt(200);
        this.highestLimit = limit;
        this.allocator = new Allocator(1_000_000, random.nextInt(5));
        for (int i = 0; i < REGIONS; i++) {
            incarnations[i] = new RegionIncarnation("r" + i, 1);
        }
    }

    /** One random step of anybody. */
    void step() {
        switch (random.nextInt(10)) {
            case 0, 1 -> tick();
            case 2, 3 -> deliverReport();
            case 4, 5 -> deliverGrant();
            case 6, 7, 8 -> spend(incarnations[random.nextInt(REGIONS)]);
            default -> disturb();
        }
    }

    long spent() {
        return spentByLostLives
                + holdings.values().stream().mapToLong(Holding::spent).sum();
    }

    long highestLimit() {
        return highestLimit;
    }

    long outstanding() {
        return ledger.outstanding();
    }

    private void tick() {
        List<RegionDemand> demands = new ArrayList<>();
        for (RegionIncarnation incarnation : incarnations) {
            demands.add(new RegionDemand(incarnation, random.nextInt(60), random.nextInt(10)));
        }
        if (broken == Broken.GRANTS_WITHOUT_LOOKING_AT_WHAT_IS_OUTSTANDING) {
            RegionIncarnation incarnation = incarnations[random.nextInt(REGIONS)];
            Map<RegionIncarnation, Account> accounts = new TreeMap<>(ledger.accounts());
            accounts.merge(
                    incarnation,
                    new Account(limit, 0, UsageCount.ZERO),
                    (a, b) -> new Account(a.granted() + limit / 2, a.returned(), a.usage()));
            ledger = new GrantLedger(accounts);
        }
        Allocation allocation = allocator.rebalance(ledger, limit, demands);
        ledger = allocation.ledger();
        for (RegionIncarnation incarnation : incarnations) {
            long keep = allocation.keep().getOrDefault(incarnation, Long.MAX_VALUE);
            grants.add(new Grant(incarnation, ledger.account(incarnation).granted(), keep));
            if (broken == Broken.TAKES_BACK_WITHOUT_A_RETURN && keep != Long.MAX_VALUE) {
                Account account = ledger.account(incarnation);
                ledger = ledger.report(incarnation, account.returned() + account.unspent() - keep, account.usage());
            }
        }
    }

    private void spend(RegionIncarnation incarnation) {
        Holding holding = holdings.getOrDefault(incarnation, Holding.NONE);
        long cost = 1L + random.nextInt(8);
        Holding refunded = random.nextInt(8) == 0 ? holding.refund(cost) : holding;
        holdings.put(incarnation, cost <= refunded.available() ? refunded.spend(cost) : refunded);
        report(incarnation);
    }

    private void report(RegionIncarnation incarnation) {
        Holding holding = holdings.getOrDefault(incarnation, Holding.NONE);
        reports.add(new Report(incarnation, holding.returned(), holding.usage()));
    }

    private void deliverReport() {
        if (!reports.isEmpty()) {
            Report report = reports.get(random.nextInt(reports.size()));
            ledger = ledger.report(report.incarnation, report.returned, report.usage);
        }
    }

    private void deliverGrant() {
        if (grants.isEmpty()) {
            return;
        }
        Grant grant = grants.get(random.nextInt(grants.size()));
        if (!List.of(incarnations).contains(grant.incarnation)) {
            return;
        }
        Holding granted = holdings.getOrDefault(grant.incarnation, Holding.NONE).granted(grant.granted);
        Holding lowered = granted.giveBackAllBut(grant.keep);
        if (broken == Broken.REPORTS_BEFORE_IT_LOWERS_ITS_LINE) {
            holdings.put(grant.incarnation, granted);
            reports.add(new Report(grant.incarnation, lowered.returned(), granted.usage()));
            return;
        }
        holdings.put(grant.incarnation, lowered);
        report(grant.incarnation);
    }

    /** Loses messages, a region's data, or changes the limit. */
    private void disturb() {
        int region = random.nextInt(REGIONS);
        switch (random.nextInt(5)) {
            case 0 -> reports.removeIf(r -> random.nextBoolean());
            case 1 -> grants.removeIf(g -> random.nextBoolean());
            case 2 -> wipe(region);
            case 3 -> newLeader();
            default -> {
                limit = 1L + random.nextInt(200);
                highestLimit = Math.max(highestLimit, limit);
            }
        }
    }

    /** A new leader rebuilds the book from the verdicts and from the usage that compaction kept, in either order. */
    private void newLeader() {
        GrantLedger verdicts = GrantLedger.EMPTY;
        GrantLedger usage = GrantLedger.EMPTY;
        for (Map.Entry<RegionIncarnation, Account> entry : ledger.accounts().entrySet()) {
            Account account = entry.getValue();
            Account granted = new Account(account.granted(), 0, UsageCount.ZERO);
            verdicts = verdicts.merge(new GrantLedger(Map.of(entry.getKey(), granted)));
            usage = usage.report(entry.getKey(), account.returned(), account.usage());
        }
        ledger = random.nextBoolean() ? verdicts.merge(usage) : usage.merge(verdicts);
    }

    private void wipe(int region) {
        RegionIncarnation lost = incarnations[region];
        Holding holding = holdings.remove(lost);
        spentByLostLives += holding == null ? 0 : holding.spent();
        incarnations[region] = new RegionIncarnation(lost.region(), lost.number() + 1);
        if (broken == Broken.FORGETS_WHAT_A_LOST_LIFE_HELD) {
            Map<RegionIncarnation, Account> accounts = new TreeMap<>(ledger.accounts());
            accounts.remove(lost);
            ledger = new GrantLedger(accounts);
        }
    }
}
