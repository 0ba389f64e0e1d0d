package io.meridian.sync.aggregate;

import io.meridian.model.policy.Coordination.AfterHeal;
import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.SharingMode;
import io.meridian.model.usage.WindowRule;
import io.meridian.model.wire.FloorRight;
import io.meridian.model.wire.RegionAnnouncement;
import io.meridian.model.wire.UsageRecord;
import io.meridian.model.wire.VerdictRecord;
import io.meridian.sync.aggregate.GrantTotals.GrantCount;
import io.meridian.sync.aggregate.Incarnations.Numbering;
import io.meridian.sync.aggregate.LimitTable.LimitIdentity;
import io.meridian.sync.aggregate.Overshoot.OvershootQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Aggregate of the global limits of one Kafka partition: merges what regions report, and derives the verdicts that its leader publishes. All
 * that is applied merges: usage by the larger of each count, grants too. A tick changes nothing; only its commit does, so a leader whose
 * transaction is refused knows no more than every replica. Not thread-safe.
 */
public final class Aggregator implements PartitionAggregate {
    private static final long FOLLOWS = -1;
    private static final long SECOND_MICROS = TimeUnit.SECONDS.toMicros(1);
    /** A new leader does not look at windows that ended longer ago, until usage of them is reported. */
    private static final long RECENT_MICROS = TimeUnit.MINUTES.toMicros(1);

    private final AggregatorRules rules;
    private final EntryPacking packing;
    private final LimitTable table;
    private final Incarnations incarnations = new Incarnations();
    private final EscrowVerdicts escrow;
    private final ChangeQueue changes;
    private final OvershootQueue overshoots = new OvershootQueue();
    private final GrantCount grants = new GrantCount();
    private final FloorRights floors = new FloorRights();
    /** The latest start of any window of which something was granted; negative if nothing was. */
    private long grantedMicros = -1;

    private long epoch;
    private long leading = FOLLOWS;
    private long sequence;
    private long committed;
    private long nowMicros;
    /** By which time windows that are long over were forgotten; ahead of now if the clock was set back since. */
    private long sweptMicros;

    public Aggregator(AggregatorRules rules) {
        this.rules = rules;
        this.packing = new EntryPacking(new Numbering<>(), rules.hash());
        this.table = new LimitTable(rules.hash());
        this.escrow = new EscrowVerdicts(incarnations, rules.horizonMicros());
        this.changes = new ChangeQueue(rules.publishEveryMicros());
    }

    @Override
    public void lead(long ofEpoch, long now) {
        nowMicros = now;
        observeEpoch(ofEpoch);
        leading = ofEpoch;
        lookAtAll();
    }

    private void lookAtAll() {
        forEachOpen(identity -> changes.later(identity, nowMicros - rules.publishEveryMicros()));
    }

    private void forEachOpen(Consumer<LimitIdentity> action) {
        table.forEach(packed -> {
            LimitEntry entry = packing.unpack(packed);
            if (nowMicros < entry.endMicros() + RECENT_MICROS) {
                action.accept(packing.identity(entry.limit));
            }
        });
    }

    /**
     * Sets the time. If the clock was set back, windows that seemed to be over may be open, and what came of them meanwhile was published to
     * nobody.
     */
    private void at(long now) {
        boolean setBack = now < nowMicros - rules.publishEveryMicros();
        nowMicros = now;
        if (setBack && leading != FOLLOWS) {
            lookAtAll();
        }
    }

    @Override
    public void follow() {
        leading = FOLLOWS;
        changes.clear();
    }

    @Override
    public void applyAnnouncement(RegionAnnouncement announcement, long arrivedMicros) {
        incarnations.reported(incarnations.number(announcement.incarnation()), Math.min(nowMicros, arrivedMicros));
        publishToNewRegions();
    }

    /** Marks all open limits as changed, so that the next tick publishes them; a second look alone may wait behind earlier ones. */
    private void publishToNewRegions() {
        if (incarnations.takeChanged() && leading != FOLLOWS) {
            lookAtAll();
            forEachOpen(changes::changed);
        }
    }

    @Override
    public void applyUsage(UsageRecord usage, long arrivedMicros) {
        if (!usage.rule().sharing().isGlobal() || usage.limit().startMicros() % SECOND_MICROS != 0) {
            return;
        }
        LimitIdentity identity = packing.identity(usage.limit());
        LimitEntry entry = entry(identity, usage.limit(), usage.rule());
        int incarnation = incarnations.number(usage.incarnation());
        incarnations.reported(incarnation, Math.min(nowMicros, arrivedMicros));
        RegionRow row = entry.row(incarnation);
        boolean hasDemand = usage.count().taken() > row.taken || usage.refusedCost() > 0 || usage.demandPerSecond() > 0;
        if (row.count(usage)) {
            row.demandPerSecond = usage.demandPerSecond();
            row.refusedCost = usage.refusedCost();
            row.reportedTenths = entry.tenths(nowMicros);
            // A report without demand may be of a rule that the region did not count by.
            if (hasDemand || usage.rule().policyVersion() > entry.rule.policyVersion()) {
                entry.follow(usage.rule());
            }
        }
        table.put(identity, packing.pack(entry));
        if (leading != FOLLOWS) {
            changed(entry, identity).sent(incarnation, usage.sentMicros());
        }
        publishToNewRegions();
    }

    private VerdictBatch.Echoes changed(LimitEntry entry, LimitIdentity identity) {
        if (entry.rule.afterHeal() == AfterHeal.CARRY) {
            LimitIdentity next = packing.identity(next(entry));
            if (table.find(next) != null) {
                changes.changed(next);
            }
        }
        return changes.changed(identity);
    }

    @Override
    public void applyVerdict(VerdictRecord verdict) {
        if (verdict.limit().startMicros() % SECOND_MICROS == 0) {
            take(verdict, verdict.epoch() != leading || verdict.sequence() > committed);
        }
        observeEpoch(verdict.epoch());
    }

    /**
     * Applies a verdict.
     *
     * @param last whether it is the last for this incarnation. A leader's own verdict that it reads is not, if it has committed more since;
     *     but its grant counts, also where the leader did not learn that it was committed
     */
    private void take(VerdictRecord verdict, boolean last) {
        if (!last && verdict.granted() == 0) {
            return;
        }
        LimitIdentity identity = packing.identity(verdict.limit());
        LimitEntry entry = entry(identity, verdict.limit(), verdict.rule());
        if (verdict.rule().policyVersion() > entry.rule.policyVersion()) {
            entry.follow(verdict.rule());
        }
        RegionRow row = entry.row(incarnations.number(verdict.incarnation()));
        boolean more = verdict.granted() > row.granted;
        if (verdict.granted() > 0) {
            grantedMicros = Math.max(grantedMicros, verdict.limit().startMicros());
        }
        row.granted = Math.max(row.granted, verdict.granted());
        if (last) {
            published(row, entry, verdict);
        }
        if (last || more) {
            table.put(identity, packing.pack(entry));
        }
    }

    private static void published(RegionRow row, LimitEntry entry, VerdictRecord verdict) {
        row.publishedElsewhere = verdict.usedElsewhere();
        row.publishedBlocked = verdict.blocked()
                && verdict.rule().policyVersion() == entry.rule.policyVersion()
                && verdict.rule().limit() == entry.rule.limit();
    }

    @Override
    public void applyFloor(FloorRight right) {
        floors.take(right);
    }

    @Override
    public long epoch() {
        return epoch;
    }

    @Override
    public void observeEpoch(long seen) {
        epoch = Math.max(epoch, seen);
    }

    @Override
    public Tick tick(long now, int limitsMax) {
        if (leading == FOLLOWS) {
            throw new IllegalStateException("only a leader publishes verdicts");
        }
        at(now);
        sequence++;
        long tickSequence = sequence;
        List<FloorRight> dueRights = floors.due(incarnations.recent(nowMicros), nowMicros, grantedMicros, rules);
        VerdictBatch batch = new VerdictBatch(leading, tickSequence, floors.with(dueRights));
        List<ChangeQueue.Due> due = changes.due(nowMicros, limitsMax);
        List<LimitIdentity> unpublished = new ArrayList<>();
        for (ChangeQueue.Due each : due) {
            byte[] packed = table.find(each.identity());
            if (packed != null && addVerdicts(packing.unpack(packed), each, batch)) {
                unpublished.add(each.identity());
            }
        }
        return new Tick() {
            @Override
            public List<VerdictRecord> verdicts() {
                return batch.verdicts();
            }

            @Override
            public List<FloorRight> floors() {
                return dueRights;
            }

            @Override
            public void committed() {
                committed = Math.max(committed, tickSequence);
                dueRights.forEach(floors::take);
                batch.verdicts().forEach(verdict -> take(verdict, true));
                changes.published(due);
                unpublished.forEach(identity -> changes.later(identity, nowMicros));
            }
        };
    }

    @Override
    public void sweep(long now, int parts) {
        at(now);
        sweptMicros = Math.max(sweptMicros, now);
        floors.forgetBefore(now);
        for (int i = 0; i < parts; i++) {
            boolean rounded = table.sweep(packed -> {
                LimitEntry entry = packing.unpack(packed);
                grants.look(entry, now);
                return isLongOver(entry, now);
            });
            if (rounded) {
                grants.rounded();
            }
        }
    }

    @Override
    public GrantTotals grants() {
        return grants.whole();
    }

    private boolean isLongOver(LimitEntry entry, long atMicros) {
        long window = entry.endMicros() - entry.limit.startMicros();
        long kept = entry.rule.afterHeal() == AfterHeal.CARRY ? window : 0;
        return entry.endMicros() + kept + rules.keepMicros() < atMicros;
    }

    @Override
    public int size() {
        return table.size();
    }

    @Override
    public List<Overshoot> overshoots() {
        return overshoots.drained();
    }

    @Override
    public List<Anomaly> anomalies(int max) {
        List<Anomaly> found = new ArrayList<>();
        table.forEach(packed -> {
            if (found.size() < max) {
                LimitEntry entry = packing.unpack(packed);
                found.addAll(Anomaly.in(entry, incarnations, escrow.floors(entry, floors)));
            }
        });
        return found.subList(0, Math.min(max, found.size()));
    }

    /** Adds the verdicts on one limit; whether something is left to be published later. */
    private boolean addVerdicts(LimitEntry entry, ChangeQueue.Due due, VerdictBatch batch) {
        if (nowMicros >= entry.rule.countedUntilMicros(entry.limit.startMicros())) {
            return closeWindow(entry);
        }
        long carried = carriedInto(entry);
        if (entry.rule.sharing() == SharingMode.ESCROW && isFarAhead(entry)) {
            return false;
        }
        if (entry.rule.sharing() != SharingMode.ESCROW) {
            return addConverging(entry, carried, due, batch) || entry.excess() > entry.reportedExcess;
        }
        escrow.add(entry, batch.floors(), carried, due.echoes(), nowMicros, batch);
        if (escrow.isNearItsEnd(entry, nowMicros)) {
            grantAhead(entry, batch);
        }
        return entry.excess() > entry.reportedExcess;
    }

    /**
     * Whether a window starts later than floors are promised for. Then a region's clock is far ahead, and a grant of it would end the
     * floors of all regions, for they begin after the last window of which something was granted.
     */
    private boolean isFarAhead(LimitEntry entry) {
        return entry.limit.startMicros() > nowMicros + rules.floorAheadMicros();
    }

    /** A limit without aligned windows still counts the period before, so a region that gets a verdict on one gets one on both. */
    private boolean addConverging(LimitEntry entry, long carried, ChangeQueue.Due due, VerdictBatch batch) {
        LimitEntry before = entry.rule.sharing() == SharingMode.CONVERGE_RATE ? before(entry) : null;
        long counted = entry.total() + carried + (before == null ? 0 : before.total());
        ConvergeVerdicts converge = new ConvergeVerdicts(incarnations, due.all(), nowMicros, batch);
        boolean everywhere = converge.concernsAll(entry, counted);
        if (everywhere && before != null) {
            converge.add(before, 0, true, new VerdictBatch.Echoes());
        }
        return converge.add(entry, carried, everywhere, due.echoes());
    }

    /** Units that the previous window carries into this one. */
    private long carriedInto(LimitEntry entry) {
        LimitEntry before = entry.rule.afterHeal() == AfterHeal.CARRY ? before(entry) : null;
        return before == null ? 0 : before.carried(entry.rule);
    }

    private @Nullable LimitEntry before(LimitEntry entry) {
        long start = entry.rule.previousMicros(entry.limit.startMicros());
        byte @Nullable [] packed =
                table.find(packing.identity(new LimitWindow(entry.limit.policyId(), entry.limit.key(), start)));
        return packed == null ? null : packing.unpack(packed);
    }

    /** Only of a window without an entry: on another this tick may have verdicts too, and both would grant the same. */
    private void grantAhead(LimitEntry entry, VerdictBatch batch) {
        LimitEntry next = new LimitEntry(next(entry), entry.rule);
        if (table.find(packing.identity(next.limit)) == null && !isLongOver(next, sweptMicros)) {
            escrow.grantAhead(entry, next, batch.floors(), nowMicros, batch);
        }
    }

    /** Reports the excess of an ended window, once its usage is complete; true if it is not yet. */
    private boolean closeWindow(LimitEntry entry) {
        if (entry.excess() <= entry.reportedExcess || entry.rule.sharing() == SharingMode.CONVERGE_RATE) {
            return false;
        }
        if (nowMicros < entry.endMicros() + rules.publishEveryMicros()) {
            return true;
        }
        long grown = entry.excess() - entry.reportedExcess;
        entry.reportedExcess = entry.excess();
        table.put(packing.identity(entry.limit), packing.pack(entry));
        overshoots.add(new Overshoot(
                entry.limit, entry.rule, entry.total(), entry.excess(), grown, entry.carried(entry.rule)));
        return false;
    }

    private static LimitWindow next(LimitEntry entry) {
        return new LimitWindow(entry.limit.policyId(), entry.limit.key(), entry.endMicros());
    }

    private LimitEntry entry(LimitIdentity identity, LimitWindow limit, WindowRule rule) {
        byte @Nullable [] packed = table.find(identity);
        if (packed == null) {
            LimitEntry begun = new LimitEntry(limit, rule);
            begun.unaccounted = isLongOver(begun, sweptMicros);
            return begun;
        }
        LimitEntry known = packing.unpack(packed);
        known.unaccounted |= known.rule.windowMicros() != rule.windowMicros();
        return known;
    }
}
