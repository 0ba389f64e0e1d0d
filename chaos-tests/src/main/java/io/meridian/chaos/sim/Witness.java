package io.meridian.chaos.sim;

import io.meridian.limiter.decide.DecidedBy;
import io.meridian.limiter.decide.Ruling;
import io.meridian.model.counter.CounterRequest;
import io.meridian.model.decision.Decision.LimitDecision;
import io.meridian.model.decision.Decision;
import io.meridian.model.match.Limit;
import io.meridian.model.policy.Coordination.Scope;
import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.SharingMode;
import io.meridian.model.usage.Usage;
import io.meridian.model.usage.UsageCount;
import io.meridian.model.wire.UsageRecord;
import io.meridian.model.wire.VerdictRecord;
import io.meridian.sync.leader.LogPort.PartitionBatch;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Sees everything and holds every step against the invariants. */
final class Witness {
    /** By so much a clock that drifts may have got ahead of who last heard of it a second ago. */
    private static final long DRIFT_MICROS = 5_000;

    private final Map<LimitWindow, AdmittedUsage> accounts = new HashMap<>();
    private final Map<LimitWindow, Usage> log = new HashMap<>();
    private final Map<String, Lives> lives = new HashMap<>();
    private final Map<Integer, Long> epochs = new HashMap<>();
    private final Map<String, String> speakers = new HashMap<>();
    /** How far the leader had read when it set a flag. */
    private final Map<List<Object>, Long> flagged = new HashMap<>();

    private final GrantLiveness grants = new GrantLiveness();
    private final Tally tally = new Tally();
    private boolean exact = true;

    /** What the run came to. */
    static final class Tally {
        long allowed;
        long denied;
        long degraded;
        long reports;
        long verdicts;
        long reportBytes;
        long verdictBytes;
        long digest = 17;

        void note(long what) {
            digest = digest * 31 + what;
        }
    }

    Tally tally() {
        return tally;
    }

    AdmittedUsage account(LimitWindow window) {
        return accounts.computeIfAbsent(window, absent -> new AdmittedUsage());
    }

    Map<LimitWindow, AdmittedUsage> accounts() {
        return accounts;
    }

    Usage logged(LimitWindow window) {
        return log.getOrDefault(window, Usage.NONE);
    }

    /** Whether nothing has happened after which what was counted and what was admitted may differ. */
    boolean isExact() {
        return exact;
    }

    /** Somebody died, lost something, or did not hear an answer. */
    void inexact() {
        exact = false;
    }

    void reported(UsageRecord record) {
        tally.reports++;
        tally.reportBytes += record.key().length + record.value().length;
        tally.note(record.count().taken());
        log.merge(record.limit(), Usage.NONE.merge(record.incarnation(), record.count()), Usage::merge);
    }

    void lifeBegins(String region, long number) {
        tally.note(number);
        lives(region).begins(number);
    }

    void lifeEnds(String region, RegionData data) {
        inexact();
        lives(region).ends(data);
    }

    Lives lives(String region) {
        return lives.computeIfAbsent(region, absent -> new Lives());
    }

    /** An instance ends, or the region's clock is set: what was admitted without Redis and is not charged yet may never be. */
    void debtsAreAstray(String region) {
        accounts.values().forEach(account -> account.debtsAreAstray(region));
    }

    /** I5 and I6: one leader after the other speaks, and a flag stays. */
    void committed(String replica, PartitionBatch said, SimKafka kafka) {
        if (said.beat() != null) {
            spoke(said.partition(), said.beat().epoch(), replica);
        }
        for (VerdictRecord verdict : said.verdicts()) {
            tally.verdicts++;
            tally.verdictBytes += verdict.key().length + verdict.value().length;
            tally.note(verdict.granted() * 7 + verdict.usedElsewhere());
            spoke(said.partition(), verdict.epoch(), replica);
            if (verdict.rule().sharing() == SharingMode.ESCROW) {
                account(verdict.limit()).mayHave(verdict.rule().limit());
            }
            flag(verdict, said, kafka);
        }
    }

    private void spoke(int partition, long epoch, String replica) {
        long before = epochs.getOrDefault(partition, 0L);
        if (epoch < before) {
            throw new Violation(
                    "I6", replica + " committed in epoch " + epoch + " of partition " + partition + " after " + before);
        }
        epochs.put(partition, epoch);
        String other = speakers.putIfAbsent(partition + "/" + epoch, replica);
        if (other != null && !other.equals(replica)) {
            throw new Violation(
                    "I6", replica + " and " + other + " both committed in epoch " + epoch + " of " + partition);
        }
    }

    /** What takes a flag back is only what was given back since. */
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
            throw new Violation(
                    "I5", "the flag of " + verdict.limit() + " was taken back from " + verdict.incarnation() + " for nothing");
        }
    }

    /** What regions had given back of a window by this offset. */
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

    /** I7: a group that is refused takes nothing. */
    void refused(String region, List<CounterRequest> group, long before, long after) {
        if (before != after) {
            throw new Violation(
                    "I7",
                    "a check denied in " + region + " took " + (after - before) + " of "
                            + group.stream()
                                    .map(ask -> ask.limit().policy().id())
                                    .toList());
        }
    }

    /**
     * @param askedMicros the region's time when it was asked
     * @param clockKnown whether who answered can be expected to know the region's time
     */
    void answered(String region, Ruling ruling, long askedMicros, boolean clockKnown, World world) {
        if (!(ruling instanceof Ruling.Decided decided)) {
            throw new Violation("F1", "a check was not decided: " + ruling);
        }
        tally.note(decided.nowMicros());
        tally.degraded += decided.degraded() ? 1 : 0;
        if (decided.degraded()) {
            inexact();
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
                throw new Violation("I7", region + " admitted in " + window(each) + " when that was over");
            }
            admitted(region, each, decided.decidedBy().get(i), clockKnown, world);
        }
    }

    /** A check asks for a limit unless another one refuses it anyway. */
    private void asked(Ruling.Decided decided) {
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

    /** The window that an answer speaks of, as its client sees it. */
    static LimitWindow window(LimitDecision evaluated) {
        Limit limit = evaluated.limit();
        long start = limit.quota().window().startMicros(evaluated.standing().resetAtMicros() - 1);
        return new LimitWindow(limit.policy().id(), limit.key(), start);
    }

    private void admitted(String region, LimitDecision evaluated, DecidedBy by, boolean clockKnown, World world) {
        Limit limit = evaluated.limit();
        if (limit.policy().coordination().scope() == Scope.REGIONAL) {
            return;
        }
        LimitWindow window = window(evaluated);
        AdmittedUsage account = account(window);
        account.mayHave(limit.quota().capacity());
        account.admit(region, limit.cost(), by != DecidedBy.FALLBACK, world.nowMicros());
        if (by == DecidedBy.FALLBACK && !clockKnown) {
            account.debtsAreAstray(region);
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

    private static void escrow(LimitWindow window, AdmittedUsage account) {
        if (account.total() > account.highestLimit()) {
            throw new Violation(
                    "I1", "admitted " + account.total() + " of " + account.highestLimit() + " in " + window);
        }
    }

    /** I7: what is admitted in a window was taken from that window's book before. */
    private void charged(String region, LimitWindow window, AdmittedUsage account, World world) {
        long own = lives(region).own(window, world.region(region).redis.data());
        long admitted = account.charged(region);
        if (admitted > own) {
            throw new Violation(
                    "I7", region + " admitted " + admitted + " in " + window + " and took " + own + " of it");
        }
    }
}
