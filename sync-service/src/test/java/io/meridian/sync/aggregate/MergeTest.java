package io.meridian.sync.aggregate;

import static io.meridian.sync.aggregate.Aggregator.JUST_NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.model.policy.Coordination.AfterHeal;
import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.RegionIncarnation;
import io.meridian.model.usage.SharingMode;
import io.meridian.model.usage.UsageCount;
import io.meridian.model.usage.WindowRule;
import io.meridian.model.wire.UsageRecord;
import io.meridian.model.wire.VerdictRecord;
import io.meridian.testkit.Histories;
import io.meridian.testkit.TestAmounts;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Whoever heard the same, in whatever order and however often, says the same. */
class MergeTest {
    private static final int HISTORIES = TestAmounts.of(200, 1_000);
    private static final long NOW = Facts.START + 10 * Facts.SECOND;

    private final List<UsageRecord> usage = new ArrayList<>();
    private final List<VerdictRecord> verdicts = new ArrayList<>();
    private final Map<String, UsageRecord> last = new HashMap<>();

    @Test
    void two_who_heard_the_same_in_another_order_and_repeatedly_say_the_same() {
        Histories.TODAY.forEach(HISTORIES, random -> {
            record(random);
            assertThat(rebuilt(random, usage)).isEqualTo(rebuilt(random, usage));
        });
    }

    @Test
    void a_compacted_log_says_what_the_whole_one_says() {
        Histories.TODAY.forEach(HISTORIES, random -> {
            record(random);
            assertThat(rebuilt(random, new ArrayList<>(last.values()))).isEqualTo(rebuilt(random, usage));
        });
    }

    @Test
    void one_who_missed_the_last_of_something_says_something_else_in_some_history() {
        assertThatThrownBy(() -> Histories.KNOWN.forEach(random -> {
                    record(random);
                    List<UsageRecord> some = new ArrayList<>(usage);
                    some.remove(last.values().iterator().next());
                    assertThat(rebuilt(random, some)).isEqualTo(rebuilt(random, usage));
                }))
                .isInstanceOf(AssertionError.class);
    }

    /** A history with a leader that hears all and commits sometimes. */
    private void record(SplittableRandom random) {
        usage.clear();
        verdicts.clear();
        last.clear();
        Aggregator leader = Facts.leader(1);
        for (int i = random.nextInt(5, 40); i > 0; i--) {
            UsageRecord next = next(random);
            usage.add(next);
            leader.applyUsage(next, JUST_NOW);
            if (random.nextInt(3) == 0) {
                PartitionAggregate.Tick tick = leader.tick(Facts.START + 2 * Facts.SECOND, 100);
                if (random.nextBoolean()) {
                    verdicts.addAll(tick.verdicts());
                    tick.committed();
                }
            }
        }
    }

    private UsageRecord next(SplittableRandom random) {
        RegionIncarnation incarnation = new RegionIncarnation("r" + random.nextInt(3), random.nextInt(2));
        int policy = random.nextInt(3);
        LimitWindow limit =
                new LimitWindow("p" + policy, "k" + random.nextInt(2), Facts.START + Facts.WINDOW * random.nextInt(2));
        String name = limit + " " + incarnation;
        UsageRecord before = last.get(name);
        long taken = (before == null ? 0 : before.count().taken()) + random.nextInt(1, 60);
        long returned = Math.min(taken, (before == null ? 0 : before.count().returned()) + random.nextInt(3));
        long version = Math.max(before == null ? 1 : before.rule().policyVersion(), random.nextInt(1, 4));
        WindowRule rule = Facts.rule(
                policy == 0 ? SharingMode.ESCROW : SharingMode.CONVERGE,
                policy == 1 ? AfterHeal.CARRY : AfterHeal.FORGIVE,
                version,
                100 * version);
        UsageRecord next = new UsageRecord(
                limit, incarnation, rule, new UsageCount(taken, returned), 0, random.nextInt(50), random.nextInt(9), 1);
        last.put(name, next);
        return next;
    }

    /** What one says who hears usage in any order, and verdicts as the log has them, some of them twice. */
    private List<VerdictRecord> rebuilt(SplittableRandom random, List<UsageRecord> heard) {
        List<UsageRecord> some = new ArrayList<>(heard);
        some.addAll(heard.subList(0, random.nextInt(heard.size() + 1)));
        Collections.shuffle(some, new Random(random.nextLong()));
        List<VerdictRecord> told = new ArrayList<>(verdicts);
        told.addAll(verdicts.subList(random.nextInt(verdicts.size() + 1), verdicts.size()));
        Aggregator rebuilt = new Aggregator(Facts.RULES);
        rebuilt.sweep(NOW, 0);
        int verdict = 0;
        for (UsageRecord each : some) {
            rebuilt.applyUsage(each, JUST_NOW);
            while (verdict < told.size() && random.nextBoolean()) {
                rebuilt.applyVerdict(told.get(verdict++));
            }
        }
        told.subList(verdict, told.size()).forEach(rebuilt::applyVerdict);
        rebuilt.lead(9, NOW);
        List<VerdictRecord> said = new ArrayList<>(Facts.said(rebuilt, NOW));
        said.sort(Comparator.comparing(VerdictRecord::toString));
        return said;
    }
}
