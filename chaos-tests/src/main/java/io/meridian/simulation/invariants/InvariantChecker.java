package io.meridian.simulation.invariants;

import io.meridian.limiter.decide.CheckResult;
import io.meridian.limiter.decide.CheckResult.DecidedBy;
import io.meridian.model.counter.CounterRequest;
import io.meridian.model.counter.RegionModel;
import io.meridian.model.decision.Decision;
import io.meridian.model.decision.Decision.LimitDecision;
import io.meridian.model.match.Limit;
import io.meridian.model.policy.Coordination.Scope;
import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.SharingMode;
import io.meridian.model.usage.Usage;
import io.meridian.model.usage.UsageCount;
import io.meridian.model.wire.UsageRecord;
import io.meridian.model.wire.VerdictRecord;
import io.meridian.simulation.kafka.SimKafka;
import io.meridian.simulation.world.SimWorld;
import io.meridian.simulation.world.SimWorld.SimRegion;
import io.meridian.sync.leader.LogPort.PartitionBatch;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Checker of invariants that observes every step of a history. */
public final class InvariantChecker {
    /** Largest advance of a drifting clock within the second since it was last read. */
    private static final long DRIFT_MICROS = 5_000;

    private final Map<LimitWindow, AdmissionLedger> accounts = new HashMap<>();
    private final Map<LimitWindow, Usage> log = new HashMap<>();
    private final Map<String, IncarnationHistory> incarnations = new HashMap<>();
    private final Map<Integer, Long> epochs = new HashMap<>();
    private final Map<String, String> epochLeaders = new HashMap<>();
    /** Usage position of the leader at which it set a flag. */
    private final Map<List<Object>, Long> flagged = new HashMap<>();

    private final GrantLiveness grants = new GrantLiveness();
    private final Tally tally = new Tally();
    private boolean exact = true;

    /** Totals of a history. */
    public static final class Tally {
        public long allowed;
        public long denied;
        public long degraded;
        public long reports;
        public long verdicts;
        public long reportBytes;
        public long verdictBytes;
        public long digest = 17;

        void note(long what) {
            digest = digest * 31 + what;
        }
    }

    public Tally tally() {
        return tally;
    }

    public AdmissionLedger account(LimitWindow window) {
        return accounts.computeIfAbsent(window, absent -> new AdmissionLedger());
    }

    public Map<LimitWindow, AdmissionLedger> accounts() {
        return accounts;
    }

    Usage logged(LimitWindow window) {
        return log.getOrDefault(window, Usage.NONE);
    }

    /** Whether nothing happened that allows counted and admitted usage to differ. */
    boolean isExact() {
        return exact;
    }

    /** A node died, lost data, or did not receive an answer. */
    public void markInexact() {
        exact = false;
    }

    public void reported(UsageRecord record) {
        tally.reports++;
        tally.reportBytes += record.key().length + record.value().length;
        tally.note(record.count().taken());
        log.merge(record.limit(), Usage.NONE.merge(record.incarnation(), record.count()), Usage::merge);
    }

    public void incarnationBegins(String region, long number) {
        tally.note(number);
        incarnations(region).begins(number);
    }

    public void incarnationEnds(String region, RegionModel model) {
        markInexact();
        incarnations(region).ends(model);
    }

    IncarnationHistory incarnations(String region) {
        return incarnations.computeIfAbsent(region, absent -> new IncarnationHistory());
    }

    /** A limiter ended, or the region's clock was set: pending charges of degraded admissions may never be applied. */
    public void markPendingChargesUncertain(String region) {
        accounts.values().forEach(account -> account.markPendingChargesUncertain(region));
    }

    /** I5 and I6: leaders commit one after the other, and a flag stays set. */
    public void committed(String replica, PartitionBatch said, SimKafka kafka) {
        if (said.beat() != null) {
            checkLeader(said.partition(), said.beat().epoch(), replica);
        }
        for (VerdictRecord verdict : said.verdicts()) {
            tally.verdicts++;
            tally.verdictBytes += verdict.key().length + verdict.value().length;
            tally.note(verdict.granted() * 7 + verdict.usedElsewhere());
            checkLeader(said.partition(), verdict.epoch(), replica);
            if (verdict.rule().sharing() == SharingMode.ESCROW) {
                account(verdict.limit()).mayHave(verdict.rule().limit());
            }
            flag(verdict, said, kafka);
        }
    }

    private void checkLeader(int partition, long epoch, String replica) {
        long before = epochs.getOrDefault(partition, 0L);
        if (epoch < before) {
            throw new InvariantViolation(
                    "I6", replica + " committed in epoch " + epoch + " of partition " + partition + " after " + before);
        }
        epochs.put(partition, epoch);
        String other = epochLeaders.putIfAbsent(partition + "/" + epoch, replica);
        if (other != null && !other.equals(replica)) {
            throw new InvariantViolation(
                    "I6", replica + " and " + other + " both committed in epoch " + epoch + " of " + partition);
        }
    }

    /** A flag may be cleared only by usage that was returned since it was set. */
    private void flag(VerdictRecord verdict, PartitionBatch said, SimKafka kafka) {
        List<Object> of = List.of(
                verdict.limit(),
                verdict.incarnation(),
                verdict.rule().policyVersion(),
                verdict.rule().limit());
        if (verdict.blocked()) {
            flagged.put(of, said.usagePosition());
            return;
        }
        Long set = flagged.remove(of);
        if (set != null
                && returned(verdict, set, said, kafka) >= returned(verdict, said.usagePosition(), said, kafka)) {
            throw new InvariantViolation(
                    "I5",
                    "the flag of " + verdict.limit() + " was cleared for " + verdict.incarnation()
                            + " without a return");
        }
    }

    /** Usage of a window that regions had returned by this offset. */
    private static long returned(VerdictRecord verdict, long until, PartitionBatch said, SimKafka kafka) {
        Usage merged = Usage.NONE;
        for (SimKafka.UsageEntry entry : kafka.usage(said.partition()).subList(0, (int) until)) {
            UsageRecord record = entry.usage();
            if (record != null && record.limit().equals(verdict.limit())) {
                merged = merged.merge(record.incarnation(), record.count());
            }
        }
        return merged.counts().values().stream().mapToLong(UsageCount::returned).sum();
    }

    /** I7: a refused group takes nothing. */
    public void refused(String region, List<CounterRequest> group, long before, long after) {
        if (before != after) {
            throw new InvariantViolation(
                    "I7",
                    "a check denied in " + region + " took " + (after - before) + " of "
                            + group.stream()
                                    .map(ask -> ask.limit().policy().id())
                                    .toList());
        }
    }

    /**
     * Checks the invariants of an answer.
     *
     * @param askedMicros the region's time at the begin of the check
     * @param clockKnown whether the limiter must know the region's time
     */
    public void answered(String region, CheckResult ruling, long askedMicros, boolean clockKnown, SimWorld world) {
        if (!(ruling instanceof CheckResult.Decided decided)) {
            throw new InvariantViolation("F1", "a check was not decided: " + ruling);
        }
        tally.note(decided.nowMicros());
        tally.degraded += decided.degraded() ? 1 : 0;
        if (decided.degraded()) {
            markInexact();
        }
        asked(decided);
        grants.answered(region, decided, askedMicros, world);
        if (!(decided.decision() instanceof Decision.Allowed)) {
            tally.denied++;
            return;
        }
        tally.allowed++;
        List<LimitDecision> evaluated = decided.decision().limits();
        for (int i = 0; i < evaluated.size(); i++) {
            LimitDecision each = evaluated.get(i);
            if (clockKnown && each.standing().resetAtMicros() + DRIFT_MICROS <= askedMicros) {
                throw new InvariantViolation("I7", region + " admitted in " + window(each) + " when that was over");
            }
            admitted(region, each, decided.limits().get(i).decidedBy(), clockKnown, world);
        }
    }

    /** Records demand: a check demands a limit unless another limit refuses it anyway. */
    private void asked(CheckResult.Decided decided) {
        List<LimitDecision> evaluated = decided.decision().limits();
        for (LimitDecision each : evaluated) {
            String policy = each.limit().policy().id();
            boolean refusedAnyway = evaluated.stream()
                    .anyMatch(other ->
                            other.refuses() && !other.limit().policy().id().equals(policy));
            if (!refusedAnyway) {
                account(window(each)).ask(each.limit().cost());
            }
        }
    }

    /** The window of an answer, as its client sees it. */
    public static LimitWindow window(LimitDecision evaluated) {
        Limit limit = evaluated.limit();
        long start = limit.quota().window().startMicros(evaluated.standing().resetAtMicros() - 1);
        return new LimitWindow(limit.policy().id(), limit.key(), start);
    }

    private void admitted(String region, LimitDecision evaluated, DecidedBy by, boolean clockKnown, SimWorld world) {
        Limit limit = evaluated.limit();
        if (limit.policy().coordination().scope() == Scope.REGIONAL) {
            return;
        }
        LimitWindow window = window(evaluated);
        AdmissionLedger account = account(window);
        account.mayHave(limit.quota().capacity());
        account.admit(region, limit.cost(), by != DecidedBy.FALLBACK, world.nowMicros());
        if (by == DecidedBy.FALLBACK && !clockKnown) {
            account.markPendingChargesUncertain(region);
        }
        if (SharingMode.of(limit.policy()) == SharingMode.ESCROW) {
            escrow(window, account);
        } else {
            new LoopBound(world).check(region, window, account, by);
        }
        if (by != DecidedBy.FALLBACK) {
            charged(region, window, account, world);
        }
    }

    private static void escrow(LimitWindow window, AdmissionLedger account) {
        if (account.total() > account.highestLimit()) {
            throw new InvariantViolation(
                    "I1", "admitted " + account.total() + " of " + account.highestLimit() + " in " + window);
        }
    }

    /** I7: usage that is admitted in a window was taken from that window's account before. */
    private void charged(String region, LimitWindow window, AdmissionLedger account, SimWorld world) {
        long own = incarnations(region).own(window, world.region(region).redis.model());
        long admitted = account.charged(region);
        if (admitted > own) {
            throw new InvariantViolation(
                    "I7", region + " admitted " + admitted + " in " + window + " and took " + own + " of it");
        }
    }

    /**
     * I2 and I8: a region admits nothing of a converging limit that the connected regions had used up one loop ago, whether it has used the limit
     * before (I2) or not (I8). So the excess over the limit is admitted within one loop, in each part of the network for itself. And no incarnation
     * of a region's data admits more than the limit by itself, connected or not. Degraded admissions count in neither: they are charged when Redis
     * is back, and count from then on.
     */
    private record LoopBound(SimWorld world) {
        void check(String region, LimitWindow window, AdmissionLedger account, DecidedBy by) {
            long now = world.nowMicros();
            long limit = account.highestLimit();
            if (by == DecidedBy.FALLBACK) {
                return;
            }
            long incarnations = world.invariants
                    .incarnations(region)
                    .using(window, world.region(region).redis.model());
            if (account.charged(region) > limit * Math.max(1, incarnations)) {
                throw new InvariantViolation(
                        "I2",
                        "%s alone admitted %d of %d in %s, in %d incarnations"
                                .formatted(region, account.charged(region), limit, window, incarnations));
            }
            long loop = world.loopMicros();
            if (now - world.disturbedMicros(region) < loop || now - world.leadersDisturbedMicros() < loop) {
                return;
            }
            long known = 0;
            for (SimRegion each : world.regions()) {
                if (now - world.disturbedMicros(each.name) >= loop) {
                    known += account.of(each.name, now - loop);
                }
            }
            if (known >= limit) {
                boolean met =
                        account.charged(region, now - loop) > account.charged(region, world.incarnationMicros(region));
                throw new InvariantViolation(
                        met ? "I2" : "I8",
                        "%s admitted of %s though %d of %d were used %d ms ago"
                                .formatted(region, window, known, limit, loop / 1_000));
            }
        }
    }
}
