package io.meridian.drill.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.drill.definition.LoadPlan;
import io.meridian.drill.definition.LoadPlan.Arrival;
import io.meridian.drill.definition.LoadPlan.PolicyLoad;
import io.meridian.drill.history.Subject;
import io.meridian.drill.history.Subject.Sharing;
import io.meridian.drill.load.OpenLoopLoad.Lane;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Times of checks in a window of 10 s that begins with the load, in virtual time. */
class SendScheduleTest {
    private static final Duration WINDOW = Duration.ofSeconds(10);
    private static final List<String> REGIONS = List.of("a", "b", "c");

    @Test
    void an_even_load_asks_every_region_all_the_time() {
        Map<String, LongSummaryStatistics> sent = sent(new PolicyLoad(Sharing.CONVERGE, 100, 1.5, Arrival.EVEN));

        assertThat(sent).allSatisfy((region, due) -> {
            assertThat(due.getCount()).isEqualTo(50);
            assertThat(due.getMin()).isLessThanOrEqualTo(200);
            assertThat(due.getMax()).isGreaterThanOrEqualTo(9_800);
        });
    }

    @Test
    void the_first_region_uses_the_limit_up_before_the_others_ask_for_as_much_together() {
        Map<String, LongSummaryStatistics> sent =
                sent(new PolicyLoad(Sharing.CONVERGE, 100, 1.5, Arrival.FIRST_REGION));

        assertThat(sent).hasEntrySatisfying("a", due -> {
            assertThat(due.getCount()).isEqualTo(150);
            assertThat(due.getMin()).isEqualTo(500);
            assertThat(due.getMax()).isBetween(1_400L, 1_500L);
        });
        for (String later : List.of("b", "c")) {
            assertThat(sent).hasEntrySatisfying(later, due -> {
                assertThat(due.getCount()).isEqualTo(75);
                assertThat(due.getMin()).isEqualTo(6_500);
                assertThat(due.getMax()).isBetween(6_900L, 7_000L);
            });
        }
    }

    @Test
    void a_burst_asks_all_regions_at_the_same_time_and_no_check_gets_lost_when_it_is_divided() {
        Map<String, LongSummaryStatistics> sent = sent(new PolicyLoad(Sharing.ESCROW, 100, 1, Arrival.BURST));

        assertThat(sent).allSatisfy((region, due) -> {
            assertThat(due.getCount()).isEqualTo(34);
            assertThat(due.getMin()).isEqualTo(500);
            assertThat(due.getMax()).isEqualTo(500);
        });
    }

    @Test
    void each_region_is_asked_for_its_own_limit_where_that_is_regional() {
        assertThat(sent(new PolicyLoad(Sharing.REGIONAL, 20, 1.5, Arrival.BURST)))
                .allSatisfy((region, due) -> assertThat(due.getCount()).isEqualTo(30));
    }

    /** By region, the milliseconds at which checks are due. */
    private static Map<String, LongSummaryStatistics> sent(PolicyLoad policy) {
        Subject subject = new Subject("p", "user_id=1", policy.sharing(), policy.limit(), WINDOW);
        Map<Lane, SendSchedule> schedules =
                SendSchedule.all(new LoadPlan(WINDOW, List.of(policy), 1, 1, 1), List.of(subject), REGIONS, 0);
        Map<String, LongSummaryStatistics> sent = new LinkedHashMap<>();
        schedules.forEach((lane, schedule) -> sent.put(lane.region(), due(schedule)));
        assertThat(sent).containsOnlyKeys(REGIONS);
        return sent;
    }

    private static LongSummaryStatistics due(SendSchedule schedule) {
        LongSummaryStatistics due = new LongSummaryStatistics();
        for (long micros = 0; micros < TimeUnit.SECONDS.toMicros(10) + 2_000; micros += 1_000) {
            // A little longer, because fractions of a nanosecond may round either way.
            long nanos = TimeUnit.MICROSECONDS.toNanos(micros);
            for (OptionalLong each = schedule.takeDue(nanos, micros);
                    each.isPresent();
                    each = schedule.takeDue(nanos, micros)) {
                due.accept(TimeUnit.NANOSECONDS.toMillis(each.getAsLong()));
            }
        }
        return due;
    }
}
