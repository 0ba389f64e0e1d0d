package io.meridian.sync.aggregate;

import static io.meridian.sync.aggregate.Aggregator.JUST_NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.model.algorithm.Window;
import io.meridian.model.counter.CounterRequest;
import io.meridian.model.counter.GlobalCounter.FloorOffer;
import io.meridian.model.counter.WindowAccount;
import io.meridian.model.match.Limit;
import io.meridian.model.policy.Coordination;
import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.RegionIncarnation;
import io.meridian.model.usage.UsageCount;
import io.meridian.model.wire.FloorRight;
import io.meridian.model.wire.RegionAnnouncement;
import io.meridian.model.wire.UsageRecord;
import io.meridian.model.wire.VerdictRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Five regions, the log and its leaders, all of them the production code, over an unreliable network: what is reported and what
 * is said is lost, repeated and reordered, leaders crash or do not know that they were replaced, regions lose their data, and
 * limits change. One limit is in escrow, in windows of a minute; another converges, in one long window.
 */
final class ProtocolWorld {
    static final int REGIONS = 5;
    /** Floors are promised a window and a half ahead, so that those of a new incarnation begin within the history. */
    private static final AggregatorRules RULES = new AggregatorRules(
            Facts.SECOND, Facts.SECOND, 600 * Facts.SECOND, REGIONS, Facts.WINDOW * 3 / 2, Facts.SECRET);

    private static final String ESCROW = "escrow";
    private static final String CONVERGE = "converge";

    /** The guards of the protocol, so that a test can take one away. */
    enum Broken {
        NOTHING,
        A_ZOMBIE_COMMITS,
        VERDICTS_REACH_ANOTHER_LIFE,
        THE_LAST_VERDICT_READ_WINS,
        A_LOST_LIFE_IS_FORGOTTEN,
        A_NEW_LEADER_DOES_NOT_READ_TO_THE_END,
        A_REGION_RETURNS_WHAT_IT_GOES_ON_SPENDING,
        AN_UNKNOWN_COMMIT_IS_TAKEN_FOR_NONE,
        A_NEW_LEADER_FORGETS_FLOORS,
        A_NEW_LIFE_HAS_THE_FLOORS_OF_THE_ONE_BEFORE
    }

    private final SplittableRandom random;
    private final Broken broken;
    private final RegionTwin[] regions = new RegionTwin[REGIONS];
    private final List<RegionTwin> lost = new ArrayList<>();
    private final List<UsageRecord> reported = new ArrayList<>();
    private final List<UsageRecord> usageLog = new ArrayList<>();
    private final List<VerdictRecord> verdictLog = new ArrayList<>();
    private final List<FloorRight> floorLog = new ArrayList<>();
    /** How far each incarnation has read of the rights to floors. */
    private final Map<RegionIncarnation, Integer> floorsRead = new HashMap<>();

    private final List<VerdictRecord> underWay = new ArrayList<>();
    /** What was granted at most by what was committed. */
    private final Map<String, VerdictRecord> granted = new HashMap<>();

    private final Map<Long, Long> highest = new TreeMap<>();
    private final Map<Long, Long> limits = new HashMap<>();
    private Limit escrow;
    /** The limit before the last change, by which some regions still count. */
    private Limit escrowBefore;

    private Limit converge;
    private Aggregator leader = new Aggregator(RULES);
    private @Nullable Aggregator zombie;
    private int read;
    private long epoch;
    private long incarnation = 1;
    private long version = 1;
    private long nowMicros = Facts.START + 1;

    ProtocolWorld(SplittableRandom random, Broken broken) {
        this.random = random;
        this.broken = broken;
        this.escrow = SharedLimit.escrow(ESCROW, version, limit());
        this.escrowBefore = escrow;
        this.converge = SharedLimit.converge(CONVERGE, version, limit());
        for (int i = 0; i < REGIONS; i++) {
            regions[i] = new RegionTwin(new RegionIncarnation("r" + i, incarnation), nowMicros);
        }
        leader.lead(++epoch, nowMicros);
        announceSome();
        noteLimit();
    }

    /** Some regions join late. */
    private void announceSome() {
        for (RegionTwin region : regions) {
            if (random.nextInt(3) > 0) {
                leader.applyAnnouncement(new RegionAnnouncement(region.incarnation, nowMicros), JUST_NOW);
            }
        }
    }

    private long limit() {
        return random.nextLong(20, 100);
    }

    void step() {
        int region = random.nextInt(REGIONS);
        switch (random.nextInt(20)) {
            case 0, 1, 2, 3, 4 -> ask(region);
            case 5, 6, 7 -> report(regions[region]);
            case 8, 9 -> deliverReport();
            case 10, 11 -> consume();
            case 12, 13 -> tick();
            case 14, 15, 16 -> deliverVerdict();
            case 17, 18 -> {
                nowMicros += random.nextLong(random.nextInt(4) == 0 ? 20 * Facts.SECOND : Facts.SECOND);
                noteLimit();
            }
            default -> disturb(region);
        }
        check();
    }

    /** Every window that may be granted by now may have been granted under this limit. */
    private void noteLimit() {
        limits.put(version, escrow.quota().limit());
        long start = escrow.quota().window().startMicros(nowMicros);
        for (long each : new long[] {start, start + Facts.WINDOW}) {
            highest.merge(each, escrow.quota().limit(), Math::max);
        }
    }

    private void ask(int region) {
        for (int i = random.nextInt(1, 6); i > 0; i--) {
            Limit shared = random.nextInt(4) > 0 ? escrow : escrowBefore;
            ask(
                    regions[random.nextBoolean() ? region : random.nextInt(REGIONS)],
                    random.nextInt(4) > 0 ? shared : converge);
        }
    }

    private void ask(RegionTwin region, Limit limit) {
        long cost = random.nextLong(1, 12);
        long skewed = nowMicros + random.nextLong(-Facts.SECOND / 2, Facts.SECOND / 2);
        boolean back = random.nextInt(10) == 0;
        if (limit.policy().id().equals(ESCROW)) {
            highest.merge(
                    limit.quota().window().startMicros(skewed), limit.quota().limit(), Math::max);
        }
        region.ask(
                back
                        ? new CounterRequest.Refund(limit, cost, skewed - random.nextLong(90 * Facts.SECOND))
                        : new CounterRequest.Take(limit, cost, random.nextInt(20), Facts.SECOND),
                skewed,
                offer(region.incarnation, limit, limit.quota().window().startMicros(skewed)));
    }

    /** The floor of a region by the part of the log that it has read, which may not be the latest. */
    private FloorOffer offer(RegionIncarnation incarnation, Limit limit, long startMicros) {
        if (random.nextInt(4) > 0) {
            floorsRead.put(incarnation, floorLog.size());
        }
        for (FloorRight right : floorLog.subList(0, floorsRead.getOrDefault(incarnation, 0))) {
            boolean same = right.incarnation().equals(incarnation);
            boolean mistaken = broken == Broken.A_NEW_LIFE_HAS_THE_FLOORS_OF_THE_ONE_BEFORE
                    && right.incarnation().region().equals(incarnation.region());
            if ((same || mistaken) && right.covers(startMicros)) {
                int percent = version % 2 == 0
                        ? Coordination.FLOOR_PERCENT_MAX
                        : random.nextInt(Coordination.FLOOR_PERCENT_MAX + 1);
                long units = right.units(limit.quota().limit(), percent);
                return new FloorOffer(units, right.fromMicros(), right.untilMicros());
            }
        }
        return FloorOffer.NONE;
    }

    private void report(RegionTwin region) {
        reported.addAll(region.reports(escrow, random.nextInt(200), nowMicros));
        reported.addAll(region.reports(converge, 0, nowMicros));
    }

    /** Any of those under way, which may come again. */
    private void deliverReport() {
        for (int i = random.nextInt(6); i > 0 && !reported.isEmpty(); i--) {
            int which = random.nextInt(reported.size());
            usageLog.add(reported.get(which));
            if (random.nextInt(3) > 0) {
                reported.remove(which);
            }
        }
    }

    private void consume() {
        int until = Math.min(usageLog.size(), read + random.nextInt(1, 12));
        usageLog.subList(read, until).forEach(each -> leader.applyUsage(each, JUST_NOW));
        read = until;
    }

    /** What the leader says is committed, or its transaction is aborted, or it does not learn which. */
    private void tick() {
        if (zombie != null && random.nextInt(3) == 0) {
            PartitionAggregate.Tick late = zombie.tick(nowMicros, 100);
            if (broken == Broken.A_ZOMBIE_COMMITS) {
                underWay.addAll(late.verdicts());
                late.committed();
            }
        }
        PartitionAggregate.Tick tick = leader.tick(nowMicros, random.nextInt(1, 5));
        switch (random.nextInt(8)) {
            case 0 -> {}
            case 1 -> {
                commit(tick);
                if (broken != Broken.AN_UNKNOWN_COMMIT_IS_TAKEN_FOR_NONE) {
                    tick.floors().forEach(leader::applyFloor);
                    tick.verdicts().forEach(leader::applyVerdict);
                }
            }
            default -> {
                commit(tick);
                tick.committed();
            }
        }
    }

    private void commit(PartitionAggregate.Tick tick) {
        floorLog.addAll(tick.floors());
        verdictLog.addAll(tick.verdicts());
        underWay.addAll(tick.verdicts());
        for (VerdictRecord said : tick.verdicts()) {
            if (said.limit().policyId().equals(ESCROW)) {
                // A leader that has not heard of a new limit yet grants under the last one: that counts for the window,
                // too.
                assertThat(said.rule().limit()).isEqualTo(limits.get(said.rule().policyVersion()));
                highest.merge(said.limit().startMicros(), said.rule().limit(), Math::max);
                granted.merge(
                        said.limit() + " " + said.incarnation(), said, (a, b) -> a.granted() > b.granted() ? a : b);
            }
        }
    }

    private void deliverVerdict() {
        for (int i = random.nextInt(6); i > 0 && !underWay.isEmpty(); i--) {
            int which = random.nextInt(underWay.size());
            VerdictRecord said = underWay.get(which);
            if (random.nextInt(3) > 0) {
                underWay.remove(which);
            }
            apply(said);
        }
    }

    private void apply(VerdictRecord said) {
        for (RegionTwin region : regions) {
            boolean same = region.incarnation.equals(said.incarnation());
            boolean mistaken = broken == Broken.VERDICTS_REACH_ANOTHER_LIFE
                    && region.incarnation.region().equals(said.incarnation().region());
            if (same && broken == Broken.A_REGION_RETURNS_WHAT_IT_GOES_ON_SPENDING) {
                region.hearWithoutLoweringItsLine(said, nowMicros);
                reported.addAll(returns(region, said));
            } else if (same || mistaken) {
                region.apply(said, nowMicros);
            }
        }
    }

    /** The report of a return that was not made. */
    private List<UsageRecord> returns(RegionTwin region, VerdictRecord said) {
        WindowAccount account = region.account(ESCROW, said.limit().startMicros());
        long back = Math.max(0, account.grantAvailable() - account.own() - said.keep());
        return said.keep() == VerdictRecord.KEEP_ALL
                ? List.of()
                : List.of(new UsageRecord(
                        said.limit(),
                        region.incarnation,
                        said.rule(),
                        new UsageCount(account.taken(), account.returned()),
                        back,
                        0,
                        0,
                        account.floor(),
                        nowMicros));
    }

    private void disturb(int region) {
        switch (random.nextInt(9)) {
            case 0 -> reported.removeIf(lossy -> random.nextBoolean());
            case 1 -> underWay.removeIf(lossy -> random.nextBoolean());
            case 2, 3 -> wipe(region);
            case 4, 5, 6, 7 -> newLeader();
            default -> {
                escrowBefore = escrow;
                escrow = SharedLimit.escrow(ESCROW, ++version, limit());
                converge = SharedLimit.converge(CONVERGE, version, limit());
                noteLimit();
            }
        }
    }

    private void wipe(int region) {
        lost.add(regions[region]);
        regions[region] = new RegionTwin(new RegionIncarnation("r" + region, ++incarnation), nowMicros);
        announceSome();
    }

    /** The last leader is dead, or does not know that it leads no longer; the next one rebuilds from what was committed. */
    private void newLeader() {
        zombie = random.nextBoolean() ? leader : null;
        Aggregator next = new Aggregator(RULES);
        next.sweep(nowMicros, 0);
        if (broken != Broken.A_NEW_LEADER_FORGETS_FLOORS) {
            floorLog.forEach(next::applyFloor);
        }
        toRead().forEach(next::applyVerdict);
        read = random.nextInt(usageLog.size() + 1);
        usageLog.subList(0, read).forEach(each -> next.applyUsage(each, JUST_NOW));
        next.lead(++epoch, nowMicros);
        leader = next;
        announceSome();
    }

    private List<VerdictRecord> toRead() {
        List<VerdictRecord> toRead = new ArrayList<>(verdictLog);
        if (broken == Broken.A_NEW_LEADER_DOES_NOT_READ_TO_THE_END) {
            return toRead.subList(0, random.nextInt(toRead.size() + 1));
        }
        if (broken == Broken.A_LOST_LIFE_IS_FORGOTTEN) {
            toRead.removeIf(said -> lost.stream().anyMatch(gone -> gone.incarnation.equals(said.incarnation())));
        }
        if (broken == Broken.THE_LAST_VERDICT_READ_WINS) {
            Map<String, VerdictRecord> one = new HashMap<>();
            toRead.forEach(said ->
                    one.merge(said.limit() + " " + said.incarnation(), said, (a, b) -> random.nextBoolean() ? a : b));
            return new ArrayList<>(one.values());
        }
        return toRead;
    }

    private List<RegionTwin> everybody() {
        List<RegionTwin> all = new ArrayList<>(lost);
        all.addAll(List.of(regions));
        return all;
    }

    private void check() {
        Map<Long, Long> spent = new HashMap<>();
        Map<Long, Long> outstanding = new HashMap<>();
        for (RegionTwin region : everybody()) {
            region.state(ESCROW).accounts().forEach((start, account) -> {
                spent.merge(start, account.own(), Long::sum);
                outstanding.merge(start, Math.max(0, account.floor()) - account.grantReturned(), Long::sum);
            });
        }
        within(spent, "spent");
        if (broken == Broken.NOTHING) {
            granted.values().forEach(said -> outstanding.merge(said.limit().startMicros(), said.granted(), Long::sum));
            within(outstanding, "granted");
        }
    }

    private void within(Map<Long, Long> sums, String what) {
        sums.forEach((start, units) -> {
            if (units > highest.getOrDefault(start, 0L)) {
                throw new AssertionError(what + " " + units + " of " + highest.get(start) + " in " + start);
            }
        });
    }

    /**
     * Everything arrives, and nothing more happens: then every region knows the total, and it is what was admitted.
     *
     * @param silent so many regions do not report
     */
    void quiet(int silent) {
        Window window = converge.quota().window();
        long start = window.startMicros(nowMicros);
        usageLog.addAll(reported);
        for (RegionTwin region : List.of(regions).subList(silent, REGIONS)) {
            usageLog.addAll(region.reports(escrow, 0, nowMicros));
            usageLog.addAll(region.reports(converge, 0, nowMicros));
        }
        usageLog.subList(read, usageLog.size()).forEach(each -> leader.applyUsage(each, JUST_NOW));
        read = usageLog.size();
        for (int i = 0; i < 4; i++) {
            nowMicros += 2 * Facts.SECOND;
            verdictLog.addAll(Facts.said(leader, nowMicros));
        }
        verdictLog.forEach(this::apply);
        long total = admitted(start);
        for (RegionTwin region : regions) {
            WindowAccount account = region.account(CONVERGE, start);
            if (account.taken() > 0) {
                assertThat(account.own() + account.verdict().usedElsewhere())
                        .as("what %s knows to be used", region.incarnation)
                        .isEqualTo(total);
            }
        }
    }

    /** Usage counted so far; for a lost incarnation, the usage that it had reported. */
    private long admitted(long start) {
        Map<RegionIncarnation, UsageCount> counts = new HashMap<>();
        LimitWindow limit = new LimitWindow(CONVERGE, SharedLimit.KEY, start);
        usageLog.stream()
                .filter(each -> each.limit().equals(limit))
                .forEach(each -> counts.merge(each.incarnation(), each.count(), UsageCount::merge));
        for (RegionTwin region : regions) {
            WindowAccount account = region.account(CONVERGE, start);
            counts.put(region.incarnation, new UsageCount(account.taken(), account.returned()));
        }
        return counts.values().stream().mapToLong(UsageCount::net).sum();
    }
}
