package io.meridian.limiter.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.limiter.LimiterConfig.LoadConfig;
import io.meridian.limiter.decide.ManualTime;
import io.meridian.limiter.decide.MemoryStore;
import io.meridian.limiter.operations.RegionLoad.ProcessLoad;
import io.meridian.limiter.region.RegionCounters.Backlog;
import io.meridian.limiter.region.RegionUnavailable;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The load that adaptive limits follow, in virtual time. */
class RegionLoadTest {
    private static final Duration INTERVAL = Duration.ofMillis(500);
    private static final long INTERVAL_MICROS = TimeUnit.MILLISECONDS.toMicros(500);
    private static final int LONG = 200;

    private final ManualTime time = new ManualTime(1_000_000);
    private final MemoryStore store = new MemoryStore(time);

    @Test
    void by_default_only_what_is_reported_counts_and_nothing_is_measured() {
        Machine machine = new Machine();
        RegionLoad load = load("a", LoadConfig.LoadSource.REPORTED, machine);
        machine.cpuShare = 1;
        rounds(LONG, load);
        assertThat(load.percent()).isEmpty();
        assertThat(machine.asked).isZero();

        load.report(70);
        assertThat(load.percent()).contains(70);
        time.advance(Duration.ofSeconds(60).toNanos() / 1_000);
        assertThat(load.percent()).isEmpty();
    }

    @Test
    void nothing_is_known_of_a_process_that_has_just_started() {
        Machine machine = new Machine();
        machine.cpuShare = 1;
        RegionLoad load = load("a", LoadConfig.LoadSource.SELF, machine);
        rounds(ProcessLoad.WARM_UP_SAMPLES - 1, load);
        assertThat(load.percent()).isEmpty();
        rounds(1, load);
        assertThat(load.percent()).isPresent();
    }

    @Test
    void the_own_load_is_the_largest_of_cpu_memory_and_backlog() {
        Machine machine = new Machine();
        RegionLoad load = load("a", LoadConfig.LoadSource.SELF, machine);
        machine.cpuShare = 0.4;
        rounds(LONG, load);
        assertThat(load.percent()).contains(40);
        machine.heapShare = 0.6;
        rounds(1, load);
        assertThat(load.percent()).contains(60);
        machine.backlog = 90;
        rounds(LONG, load);
        assertThat(load.percent()).contains(90);
        machine.backlog = 0;
        machine.heapShare = 0;
        machine.cpuShare = 7;
        rounds(LONG, load);
        assertThat(load.percent()).as("more than all processors is all of them").contains(100);
    }

    @Test
    void a_burst_of_a_moment_changes_little() {
        Machine machine = new Machine();
        RegionLoad load = load("a", LoadConfig.LoadSource.SELF, machine);
        rounds(LONG, load);
        machine.cpuShare = 1;
        rounds(1, load);
        assertThat(load.percent().orElseThrow()).isLessThan(15);
    }

    @Test
    void a_backlog_that_does_not_answer_is_full() {
        Machine machine = new Machine();
        RegionLoad load = load("a", LoadConfig.LoadSource.SELF, machine);
        machine.silent = true;
        rounds(LONG, load);
        assertThat(load.percent()).contains(100);
    }

    @Test
    void all_instances_follow_the_busiest_and_forget_it_when_it_is_gone() {
        Machine idle = new Machine();
        Machine busy = new Machine();
        idle.cpuShare = 0.1;
        busy.cpuShare = 0.9;
        RegionLoad one = load("one", LoadConfig.LoadSource.SELF, idle);
        RegionLoad two = load("two", LoadConfig.LoadSource.SELF, busy);
        rounds(LONG, one, two);
        assertThat(one.percent()).contains(90);
        assertThat(two.percent()).contains(90);

        busy.cpuShare = 0.3;
        rounds(LONG, one, two);
        assertThat(one.percent()).contains(30);

        rounds(LONG, one);
        assertThat(one.percent()).as("the busy one is gone").contains(10);
    }

    @Test
    void without_a_store_an_instance_follows_its_own_load() {
        Machine machine = new Machine();
        machine.cpuShare = 0.5;
        RegionLoad load = load("a", LoadConfig.LoadSource.SELF, machine);
        store.away = true;
        rounds(LONG, load);
        assertThat(load.percent()).contains(50);
    }

    @Test
    void the_larger_of_reported_and_measured_counts_or_the_one_that_is_known() {
        Machine machine = new Machine();
        machine.cpuShare = 0.5;
        RegionLoad load = load("a", LoadConfig.LoadSource.LARGER, machine);
        load.report(20);
        assertThat(load.percent()).as("nothing is measured yet").contains(20);
        rounds(ProcessLoad.WARM_UP_SAMPLES * 3, load);
        assertThat(load.percent()).contains(50);
        load.report(80);
        assertThat(load.percent()).contains(80);
        machine.cpuShare = 0.2;
        rounds(LONG, load);
        assertThat(load.percent()).as("the report has ended").contains(20);
    }

    @Test
    void a_record_of_another_form_is_overwritten() {
        Machine machine = new Machine();
        machine.cpuShare = 0.5;
        RegionLoad load = load("a", LoadConfig.LoadSource.SELF, machine);
        store.put("load-measured", "much", Duration.ofDays(1));
        rounds(LONG, load);
        assertThat(load.percent()).contains(50);
        assertThat(store.get("load-measured").toCompletableFuture().join()).contains("50 a");
    }

    private void rounds(int count, RegionLoad... loads) {
        for (int i = 0; i < count; i++) {
            time.advance(INTERVAL_MICROS);
            for (RegionLoad load : loads) {
                load.round();
            }
        }
    }

    private RegionLoad load(String instance, LoadConfig.LoadSource source, Machine machine) {
        return new RegionLoad(store, new Settings(source), new ProcessLoad(machine, machine, time), time, instance);
    }

    private record Settings(LoadConfig.LoadSource source) implements LoadConfig {
        @Override
        public Duration believedFor() {
            return Duration.ofSeconds(60);
        }

        @Override
        public Duration readEvery() {
            return INTERVAL;
        }
    }

    /** A process on two processors that uses a share of them all the time. */
    private final class Machine implements ProcessLoad.Readings, Backlog {
        double cpuShare;
        double heapShare;
        int backlog;
        boolean silent;
        int asked;
        private long cpuNanos;
        private long lastNanos = time.monotonicNanos();

        @Override
        public long cpuNanos() {
            long nowNanos = time.monotonicNanos();
            cpuNanos += (long) (2 * cpuShare * (nowNanos - lastNanos));
            lastNanos = nowNanos;
            return cpuNanos;
        }

        @Override
        public int processors() {
            return 2;
        }

        @Override
        public double heapShare() {
            return heapShare;
        }

        @Override
        public CompletionStage<Integer> backlogPercent() {
            asked++;
            return silent
                    ? CompletableFuture.failedFuture(new RegionUnavailable("away"))
                    : CompletableFuture.completedFuture(backlog);
        }
    }
}
