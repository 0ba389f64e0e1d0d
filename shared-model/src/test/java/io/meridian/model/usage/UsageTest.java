package io.meridian.model.usage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.testkit.Histories;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class UsageTest {
    private static final List<String> REGIONS = List.of("us-east", "eu-west", "ap-south");

    @Test
    void merging_is_commutative_associative_and_idempotent() {
        Histories.TODAY.forEach(random -> {
            Usage a = randomUsage(random);
            Usage b = randomUsage(random);
            Usage c = randomUsage(random);

            assertThat(a.merge(b)).isEqualTo(b.merge(a));
            assertThat(a.merge(b).merge(c)).isEqualTo(a.merge(b.merge(c)));
            assertThat(a.merge(a)).isEqualTo(a);
            assertThat(a.merge(Usage.NONE)).isEqualTo(a);
        });
    }

    @Test
    void replay_duplicates_reordering_and_loss_change_nothing_once_the_last_message_arrives() {
        Histories.TODAY.forEach(random -> {
            List<Map.Entry<RegionIncarnation, UsageCount>> sent = randomReports(random);
            Usage inOrder = mergeAll(sent);

            List<Map.Entry<RegionIncarnation, UsageCount>> received = new ArrayList<>(sent);
            received.removeIf(report -> !isLast(report, sent) && random.nextInt(3) == 0);
            received.addAll(received.subList(0, random.nextInt(received.size() + 1)));
            Collections.shuffle(received, new Random(random.nextLong()));

            assertThat(mergeAll(received)).isEqualTo(inOrder);
        });
    }

    @Test
    void adding_up_instead_of_merging_by_max_breaks_under_duplicates() {
        assertThatThrownBy(() -> Histories.KNOWN.forEach(random -> {
                    List<Map.Entry<RegionIncarnation, UsageCount>> sent = randomReports(random);
                    List<Map.Entry<RegionIncarnation, UsageCount>> repeated = new ArrayList<>(sent);
                    repeated.add(sent.get(random.nextInt(sent.size())));
                    assertThat(sumOfAll(repeated)).isEqualTo(sumOfAll(sent));
                }))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("replays");
    }

    private static long sumOfAll(List<Map.Entry<RegionIncarnation, UsageCount>> reports) {
        return reports.stream().mapToLong(report -> report.getValue().net()).sum();
    }

    @Test
    void a_new_life_counts_on_top_of_the_earlier_ones() {
        Usage usage = Usage.NONE
                .merge(new RegionIncarnation("us-east", 1), new UsageCount(100, 10))
                .merge(new RegionIncarnation("us-east", 2), new UsageCount(7, 0))
                .merge(new RegionIncarnation("eu-west", 9), new UsageCount(3, 1));

        assertThat(usage.total()).isEqualTo(99);
        assertThat(usage.of("us-east")).isEqualTo(97);
        assertThat(usage.usedElsewhere("us-east")).isEqualTo(2);
        assertThat(usage.usedElsewhere("ap-south")).isEqualTo(99);
    }

    @Test
    void a_count_that_gives_back_more_than_it_took_is_refused_by_name() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new UsageCount(3, 4))
                .withMessage("returned must be from 0 to taken 3, got 4");
    }

    private static boolean isLast(
            Map.Entry<RegionIncarnation, UsageCount> report, List<Map.Entry<RegionIncarnation, UsageCount>> sent) {
        return sent.stream()
                .filter(other -> other.getKey().equals(report.getKey()))
                .reduce((earlier, later) -> later)
                .filter(last -> last.getValue().equals(report.getValue()))
                .isPresent();
    }

    /** Cumulative reports of a few incarnations, each growing, in the order they were sent. */
    private static List<Map.Entry<RegionIncarnation, UsageCount>> randomReports(SplittableRandom random) {
        List<Map.Entry<RegionIncarnation, UsageCount>> reports = new ArrayList<>();
        Map<RegionIncarnation, UsageCount> counts = new HashMap<>();
        int count = 1 + random.nextInt(30);
        for (int i = 0; i < count; i++) {
            RegionIncarnation incarnation = new RegionIncarnation(REGIONS.get(random.nextInt(3)), random.nextInt(2));
            UsageCount before = counts.getOrDefault(incarnation, UsageCount.ZERO);
            long taken = before.taken() + random.nextInt(5);
            long returned = Math.min(taken, before.returned() + random.nextInt(2));
            UsageCount after = new UsageCount(taken, returned);
            counts.put(incarnation, after);
            reports.add(Map.entry(incarnation, after));
        }
        return reports;
    }

    private static Usage randomUsage(SplittableRandom random) {
        return mergeAll(randomReports(random));
    }

    private static Usage mergeAll(List<Map.Entry<RegionIncarnation, UsageCount>> reports) {
        Usage usage = Usage.NONE;
        for (Map.Entry<RegionIncarnation, UsageCount> report : reports) {
            usage = usage.merge(report.getKey(), report.getValue());
        }
        return usage;
    }
}
