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
 * What is known of the limits of one Kafka partition, and what its leader makes of it. Everything that is taken in merges: usage
 * by the larger of each count, grants too. Asking what is to be said changes nothing; only what was committed does, so a leader
 * whose transaction is refused knows no more than everybody. Not thread-safe.
 */
public final class Aggregator {
    /** The arrival of a record that has just been read at the end of the log. */
    public static final long JUST_NOW = Long.MAX_VALUE;

    private static final long FOLLOWS = -1;
    private static final long SECOND_MICROS = TimeUnit.SECONDS.toMicros(1);
    /** What ended longer ago a new leader only looks at when it hears of it. */
    private static final long RECENT_MICROS = TimeUnit.MINUTES.toMicros(1);

    private final AggregatorRules rules;
    private final EntryPacking packing;
    private final LimitTable table;
    private final Carry carry;
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
        this.carry = new Carry(table, packing);
        this.escrow = new EscrowVerdicts(incarnations, rules.horizonMicros());
        this.changes = new ChangeQueue(rules.tellEveryMicros());
    }

    /** Leads from now on, in this epoch: nobody knows what the leader before has not told, so everything open is looked at. */
    public void lead(long ofEpoch, long now) {
        nowMicros = now;
        epochSeen(ofEpoch);
        leading = ofEpoch;
        lookAtAll();
    }

    private void lookAtAll() {
        forEachOpen(identity -> changes.later(identity, nowMicros - rules.tellEveryMicros()));
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
     * It is this time now. If the clock was set back, windows that seemed to be over may be open, and what came of them meanwhile was told to
     * nobody.
     */
    private void at(long now) {
        boolean setBack = now < nowMicros - rules.tellEveryMicros();
        nowMicros = now;
        if (setBack && leading != FOLLOWS) {
            lookAtAll();
        }
    }

    /** Leads no longer, or not yet: what changes is only taken in. */
    public void follow() {
        leading = FOLLOWS;
        changes.clear();
    }

    /** What a leader says at one time. */
    public interface Tick {
        List<VerdictRecord> verdicts();

        /** Rights to floors, which are committed before or with the verdicts that count them. */
        List<FloorRight> floors();

        default boolean isEmpty() {
            return verdicts().isEmpty() && floors().isEmpty();
        }

        /**
         * What was said is now committed. A leader that does not learn whether it is reads what was said to the end before it
         * speaks again.
         */
        void committed();
    }

    /**
     * Registers a region that exists, whether or not it uses any limit of this partition: limits that are used up are told to every
     * registered region. A region that joins, or begins another incarnation, is told of all open limits.
     *
     * @param arrivedMicros when the announcement was written, or {@link #JUST_NOW}. A leader that starts reads old ones too, and a
     *     region that was last heard of long ago is not given floors of further windows
     */
    public void announced(RegionAnnouncement announcement, long arrivedMicros) {
        incarnations.heard(incarnations.number(announcement.incarnation()), Math.min(nowMicros, arrivedMicros));
        tellNewRegions();
    }

    /** Marks all open limits as changed, so that the next tick tells them; a second look alone may wait behind earlier ones. */
    private void tellNewRegions() {
        if (incarnations.takeChanged() && leading != FOLLOWS) {
            lookAtAll();
            forEachOpen(changes::changed);
        }
    }

    /**
     * Takes in what a region reports; what is repeated or late changes nothing. Regional usage is not kept.
     *
     * @param arrivedMicros when the report was written, or {@link #JUST_NOW}
     */
    public void heard(UsageRecord usage, long arrivedMicros) {
        if (!usage.rule().sharing().isGlobal() || usage.limit().startMicros() % SECOND_MICROS != 0) {
            return;
        }
        LimitIdentity identity = packing.identity(usage.limit());
        LimitEntry entry = entry(identity, usage.limit(), usage.rule());
        int incarnation = incarnations.number(usage.incarnation());
        incarnations.heard(incarnation, Math.min(nowMicros, arrivedMicros));
        RegionRow row = entry.row(incarnation);
        boolean asked = usage.count().taken() > row.taken || usage.refusedCost() > 0 || usage.demandPerSecond() > 0;
        if (row.count(usage)) {
            row.demandPerSecond = usage.demandPerSecond();
            row.refusedCost = usage.refusedCost();
            row.heardTenths = entry.tenths(nowMicros);
            // A report that nobody's check brought about may name another's limit.
            if (asked || usage.rule().policyVersion() > entry.rule.policyVersion()) {
                entry.follow(usage.rule());
            }
        }
        table.put(identity, packing.pack(entry));
        if (leading != FOLLOWS) {
            changed(entry, identity).sent(incarnation, usage.sentMicros());
        }
        tellNewRegions();
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

    /** Takes in what a leader has said and committed: this one or any before it. */
    public void said(VerdictRecord verdict) {
        if (verdict.limit().startMicros() % SECOND_MICROS == 0) {
            take(verdict, verdict.epoch() != leading || verdict.sequence() > committed);
        }
        epochSeen(verdict.epoch());
    }

    /**
     * Takes in a verdict.
     *
     * @param last whether it is the last that was said to this incarnation. What a leader hears of itself is not, if it has committed
     *     more since; but what it granted it granted, also where it did not learn that it was committed
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
            told(row, entry, verdict);
        }
        if (last || more) {
            table.put(identity, packing.pack(entry));
        }
    }

    private static void told(RegionRow row, LimitEntry entry, VerdictRecord verdict) {
        row.toldElsewhere = verdict.usedElsewhere();
        row.toldBlocked = verdict.blocked()
                && verdict.rule().policyVersion() == entry.rule.policyVersion()
                && verdict.rule().limit() == entry.rule.limit();
    }

    /** Takes in a right to floors that a leader has committed. */
    public void floor(FloorRight right) {
        floors.take(right);
    }

    /** The highest epoch any leader has spoken in; 0 if none has. */
    public long epoch() {
        return epoch;
    }

    /** A leader spoke in this epoch. */
    public void epochSeen(long seen) {
        epoch = Math.max(epoch, seen);
    }

    /** What the leader has to say now, at most about {@code limitsMax} limits. Nothing changes until it is committed. */
    public Tick tick(long now, int limitsMax) {
        if (leading == FOLLOWS) {
            throw new IllegalStateException("only a leader has something to say");
        }
        at(now);
        sequence++;
        long spoken = sequence;
        List<FloorRight> dueRights = floors.due(incarnations.heardLately(nowMicros), nowMicros, grantedMicros, rules);
        VerdictBatch speech = new VerdictBatch(leading, spoken, floors.with(dueRights));
        List<ChangeQueue.Due> due = changes.due(nowMicros, limitsMax);
        List<LimitIdentity> untold = new ArrayList<>();
        for (ChangeQueue.Due each : due) {
            byte[] packed = table.find(each.identity());
            if (packed != null && say(packing.unpack(packed), each, speech)) {
                untold.add(each.identity());
            }
        }
        return new Tick() {
            @Override
            public List<VerdictRecord> verdicts() {
                return speech.verdicts();
            }

            @Override
            public List<FloorRight> floors() {
                return dueRights;
            }

            @Override
            public void committed() {
                committed = Math.max(committed, spoken);
                dueRights.forEach(floors::take);
                speech.verdicts().forEach(verdict -> take(verdict, true));
                changes.told(due);
                untold.forEach(identity -> changes.later(identity, nowMicros));
            }
        };
    }

    /** Forgets windows that ended long ago, in so many of the table's {@value LimitTable#PARTS} parts; to be called again and again. */
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

    /** What is granted and spent, as of the last time that sweeping came round. */
    public GrantTotals grants() {
        return grants.whole();
    }

    private boolean isLongOver(LimitEntry entry, long atMicros) {
        long window = entry.endMicros() - entry.limit.startMicros();
        long kept = entry.rule.afterHeal() == AfterHeal.CARRY ? window : 0;
        return entry.endMicros() + kept + rules.keepMicros() < atMicros;
    }

    /** How many limits and windows are known. */
    public int size() {
        return table.size();
    }

    /** What was found since the last call: of a window each time its excess has grown. */
    public List<Overshoot> overshoots() {
        return overshoots.drained();
    }

    /** Escrow accounts in which a region spent or gave back more than it was granted, at most so many. */
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

    /** Whether something is left to be told later. */
    private boolean say(LimitEntry entry, ChangeQueue.Due due, VerdictBatch speech) {
        if (nowMicros >= entry.rule.countedUntilMicros(entry.limit.startMicros())) {
            return reckon(entry);
        }
        long carried = carry.into(entry);
        if (entry.rule.sharing() == SharingMode.ESCROW && isFarAhead(entry)) {
            return false;
        }
        if (entry.rule.sharing() != SharingMode.ESCROW) {
            return tellWhatOthersUsed(entry, carried, due, speech) || entry.excess() > entry.toldExcess;
        }
        escrow.tell(entry, speech.floors(), carried, due.echoes(), nowMicros, speech);
        if (escrow.isNearItsEnd(entry, nowMicros)) {
            grantAhead(entry, speech);
        }
        return entry.excess() > entry.toldExcess;
    }

    /**
     * Whether a window starts later than floors are promised for. It is of a region whose clock is far ahead; a grant of it would end the
     * floors of all regions, for they begin after the last window of which something was granted.
     */
    private boolean isFarAhead(LimitEntry entry) {
        return entry.limit.startMicros() > nowMicros + rules.floorAheadMicros();
    }

    /** A limit without aligned windows still counts the period before, so a region that is told of one is told of both. */
    private boolean tellWhatOthersUsed(LimitEntry entry, long carried, ChangeQueue.Due due, VerdictBatch speech) {
        LimitEntry before = entry.rule.sharing() == SharingMode.CONVERGE_RATE ? before(entry) : null;
        long counted = entry.total() + carried + (before == null ? 0 : before.total());
        ConvergeVerdicts converge = new ConvergeVerdicts(incarnations, due.all(), nowMicros, speech);
        boolean everywhere = converge.concernsAll(entry, counted);
        if (everywhere && before != null) {
            converge.tell(before, 0, true, new VerdictBatch.Echoes());
        }
        return converge.tell(entry, carried, everywhere, due.echoes());
    }

    private @Nullable LimitEntry before(LimitEntry entry) {
        long start = entry.rule.previousMicros(entry.limit.startMicros());
        byte @Nullable [] packed =
                table.find(packing.identity(new LimitWindow(entry.limit.policyId(), entry.limit.key(), start)));
        return packed == null ? null : packing.unpack(packed);
    }

    /** Only of a window of which nothing is known: of another this tick may say something too, and both would grant the same. */
    private void grantAhead(LimitEntry entry, VerdictBatch speech) {
        LimitEntry next = new LimitEntry(next(entry), entry.rule);
        if (table.find(packing.identity(next.limit)) == null && !isLongOver(next, sweptMicros)) {
            escrow.grantAhead(entry, next, speech.floors(), nowMicros, speech);
        }
    }

    /** Tells of the excess of an ended window, once it is whole; true if it is not yet. */
    private boolean reckon(LimitEntry entry) {
        if (entry.excess() <= entry.toldExcess || entry.rule.sharing() == SharingMode.CONVERGE_RATE) {
            return false;
        }
        if (nowMicros < entry.endMicros() + rules.tellEveryMicros()) {
            return true;
        }
        long grown = entry.excess() - entry.toldExcess;
        entry.toldExcess = entry.excess();
        table.put(packing.identity(entry.limit), packing.pack(entry));
        overshoots.add(new Overshoot(
                entry.limit, entry.rule, entry.total(), entry.excess(), grown, Carry.outOf(entry, entry.rule)));
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
