package io.meridian.drill.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.drill.definition.Drill;
import io.meridian.drill.definition.DrillFile;
import io.meridian.drill.history.Event;
import io.meridian.drill.history.Event.FaultBegan;
import io.meridian.drill.history.Event.FaultEnded;
import io.meridian.drill.history.Event.NetworkSplit;
import io.meridian.drill.history.Event.Phase;
import io.meridian.drill.history.Event.PhaseBegan;
import io.meridian.drill.history.InjectedFault;
import io.meridian.drill.history.InjectedFault.Direction;
import io.meridian.drill.history.InjectedFault.LinkAction;
import io.meridian.drill.runner.DrillResult.ActivityResult;
import io.meridian.drill.runner.DrillResult.Status;
import io.meridian.drill.runner.DrillRun.Limits;
import io.meridian.drill.targets.DrillTarget.TargetException;
import io.meridian.model.time.TimeSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(600)
class DrillRunTest {
    private static final String CUT =
            "{type: action, name: cut, provider: {type: meridian, func: network, arguments: {action: partition, selector: {regions: [a]}}}}";
    private static final String KILL =
            "{type: action, name: kill, provider: {type: meridian, func: process, arguments: {action: kill, target: %s}}}";
    private static final String HEAL = "{type: action, name: heal, provider: {type: meridian, func: heal}}";
    private static final String BROKEN =
            "{type: action, name: broken, provider: {type: process, path: 'false', timeout: 600}}";

    /** Of little load, so that a burst after skipped time is small, and with deadlines that no busy machine misses. */
    private static final Limits PATIENT =
            new Limits(Duration.ofMinutes(5), 5, Duration.ofMinutes(5), Duration.ofMinutes(5), Duration.ofMillis(10));

    private final Path folder;
    private final FakeTarget target;

    DrillRunTest(@TempDir Path folder) throws Exception {
        this.folder = folder;
        target = new FakeTarget();
    }

    @AfterEach
    void nothing_is_left() {
        target.close();
    }

    @Test
    void a_drill_goes_through_its_phases_and_leaves_nothing_behind() throws Exception {
        DrillResult result = run(drill(CUT, HEAL));

        assertThat(result.reason()).isEmpty();
        assertThat(result.status()).isEqualTo(Status.COMPLETED);
        assertThat(result.history().of(PhaseBegan.class).stream().map(PhaseBegan::phase))
                .containsExactly(Phase.values());
        assertThat(result.history().of(NetworkSplit.class).stream().map(NetworkSplit::parts))
                .containsExactly(2, 1);
        assertThat(result.history().of(FaultBegan.class).stream().map(FaultBegan::injected))
                .containsExactly(new InjectedFault.OfLink(LinkAction.PARTITION, "a", Direction.BOTH, 0, 0, 0));
        assertThat(target.deeds).containsExactly("create", "inject a", "heal a", "remove");
        assertThat(result.before()).hasSize(2).allMatch(ActivityResult::succeededAsExpected);
        assertThat(result.after()).hasSize(2).allMatch(ActivityResult::succeededAsExpected);
    }

    @Test
    void what_the_file_does_not_undo_is_undone_all_the_same() throws Exception {
        run(drill(CUT, ""));

        assertThat(target.deeds).containsExactly("create", "inject a", "heal a", "remove");
    }

    @Test
    void rollbacks_run_when_the_method_fails_each_even_when_one_before_it_failed() throws Exception {
        DrillResult result = run(drill(CUT + ", " + BROKEN + ", " + KILL.formatted("kafka"), BROKEN + ", " + HEAL));

        assertThat(result.status()).isEqualTo(Status.FAILED);
        assertThat(result.reason()).contains("the method failed: broken");
        assertThat(result.rollbacks()).hasSize(2);
        assertThat(target.deeds).containsExactly("create", "inject a", "heal a", "remove");
    }

    @Test
    void a_drill_whose_rollback_failed_has_failed_and_says_what_the_rollback_said() throws Exception {
        String unhappy = "{type: action, name: undo, provider: {type: process, path: sh, timeout: 600,"
                + " arguments: ['-c', 'echo no such volume >&2; exit 4']}}";

        DrillResult result = run(drill(CUT, HEAL + ", " + unhappy));

        assertThat(result.status()).isEqualTo(Status.FAILED);
        assertThat(result.reason()).startsWith("a rollback failed: undo: ").contains("no such volume", "4");
    }

    @Test
    void a_fault_that_was_only_half_done_is_undone() throws Exception {
        target.failing = "inject a";

        DrillResult result = run(drill(CUT, HEAL));

        assertThat(result.status()).isEqualTo(Status.FAILED);
        assertThat(target.deeds).containsExactly("create", "inject a", "heal a", "remove");
    }

    @Test
    void a_part_whose_restart_broke_off_is_started() throws Exception {
        target.failing = "restart kafka";

        DrillResult result = run(drill(KILL.formatted("kafka").replace("action: kill", "action: restart"), HEAL));

        assertThat(result.status()).isEqualTo(Status.FAILED);
        assertThat(target.deeds).containsExactly("create", "restart kafka", "start kafka", "remove");
    }

    @Test
    void two_faults_of_one_part_are_both_undone_the_later_one_first_though_that_fails() throws Exception {
        target.failing = "thaw kafka";
        String freeze = KILL.formatted("kafka").replace("action: kill", "action: freeze");

        DrillResult result = run(read(text(KILL.formatted("kafka") + ", " + freeze, "", "100ms")));

        assertThat(result.status()).isEqualTo(Status.FAILED);
        assertThat(target.deeds).containsSequence("kill kafka", "freeze kafka", "thaw kafka", "start kafka");
    }

    @Test
    void a_part_that_is_replaced_under_another_fault_stays_under_it_until_that_is_undone() throws Exception {
        String restart = KILL.formatted("kafka").replace("action: kill", "action: restart");
        String freeze = KILL.formatted("kafka").replace("action: kill", "action: freeze");

        run(drill(freeze + ", " + restart, HEAL));

        assertThat(target.deeds).containsExactly("create", "freeze kafka", "restart kafka", "thaw kafka", "remove");
    }

    @Test
    void an_even_load_has_one_key_and_one_that_comes_in_rounds_has_one_for_each_window() throws Exception {
        Drill even = drill(CUT, HEAL);
        Drill burst = read(text(CUT, HEAL).replace("demand: 2", "demand: 2, arrival: burst"));

        assertThat(new DrillRun(even, target).subjects())
                .allMatch(subject -> subject.key().equals("user_id=42"));
        assertThat(new DrillRun(burst, target).subjects())
                .allMatch(subject -> subject.keyAt(7_500_000).equals("user_id=7"));
    }

    @Test
    void a_listener_that_throws_does_not_stop_it() throws Exception {
        DrillResult result = run(drill(CUT, HEAL), event -> {
            throw new IllegalStateException("nobody can look");
        });

        assertThat(result.reason()).isEmpty();
        assertThat(result.status()).isEqualTo(Status.COMPLETED);
    }

    @Test
    void what_cannot_be_undone_is_told() throws Exception {
        target.failing = "heal a";

        DrillResult result = run(read(text(CUT, "", "100ms")));

        assertThat(result.status()).isEqualTo(Status.FAILED);
        assertThat(result.reason()).contains("network a: heal a does not work");
    }

    @Test
    void an_interrupted_drill_undoes_all_and_says_so() throws Exception {
        Thread running = Thread.currentThread();

        DrillResult result = run(drill(CUT, HEAL), event -> {
            if (event instanceof FaultBegan) {
                running.interrupt();
            }
        });

        assertThat(result.status()).isEqualTo(Status.INTERRUPTED);
        assertThat(target.deeds).contains("heal a", "remove");
        assertThat(result.history().of(FaultEnded.class)).hasSize(1);
        assertThat(result.rollbacks()).hasSize(1);
    }

    @Test
    void an_interruption_does_not_break_off_a_rollback() throws Exception {
        Thread running = Thread.currentThread();
        String slow = "{type: action, name: slow, provider: {type: process, path: sh, timeout: 600, arguments: ['-c',"
                + " 'cd %s; touch begun; until [ -e enough ]; do sleep 0.05; done; touch undone']}}".formatted(folder);
        Thread impatient = new Thread(() -> {
            await(() -> Files.exists(folder.resolve("begun")));
            running.interrupt();
            await(() -> !running.isInterrupted());
            touch(folder.resolve("enough"));
        });
        impatient.start();

        DrillResult result = run(drill(CUT, slow + ", " + HEAL));
        impatient.join();

        assertThat(folder.resolve("undone")).exists();
        assertThat(result.rollbacks()).hasSize(2).allMatch(ActivityResult::succeededAsExpected);
        assertThat(result.status()).isEqualTo(Status.INTERRUPTED);
        assertThat(target.deeds).containsExactly("create", "inject a", "heal a", "remove");
    }

    @Test
    void a_fault_that_begins_late_in_the_background_is_healed_and_not_begun_after_that() throws Exception {
        Thread running = Thread.currentThread();
        target.doing = deed -> {
            if (deed.equals("inject a")) {
                running.interrupt();
                await(() -> Thread.currentThread().isInterrupted());
                awaitAtMost(200, () -> target.deeds.contains("heal a"));
            }
        };

        DrillResult result = run(drill(CUT.replace("name: cut", "name: cut, background: true"), HEAL));

        assertThat(result.status()).isEqualTo(Status.INTERRUPTED);
        assertThat(target.deeds).containsExactly("create", "inject a", "heal a", "remove");
    }

    @Test
    void a_steady_state_that_is_not_there_stops_it_before_the_method() throws Exception {
        String probe = "steady-state-hypothesis: {title: t, probes: [{type: probe, name: never, tolerance: 1,"
                + " provider: {type: meridian, func: failed-checks}}]}\n";

        DrillResult result = run(read(probe + text(CUT, HEAL)));

        assertThat(result.status()).isEqualTo(Status.FAILED);
        assertThat(result.reason()).isEqualTo("the steady state does not hold before the method: never found 0");
        assertThat(result.method()).isEmpty();
        assertThat(target.deeds).containsExactly("create", "remove");
    }

    @Test
    void what_a_target_cannot_do_is_refused_before_anything_begins() throws Exception {
        Drill drill = drill(
                CUT.replace("[a]", "[nowhere]") + ", " + KILL.formatted("postgres") + ", "
                        + KILL.formatted("redis, region: a"),
                "");

        assertThatThrownBy(() -> run(drill))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("no proxy on the link of nowhere; there are proxies of [a, b]")
                .hasMessageContaining("a fake has no postgres to kill")
                .hasMessageContaining("no way to start redis-a");
        assertThat(target.deeds).isEmpty();
    }

    @Test
    void a_cut_from_some_others_only_or_from_a_region_that_is_not_there_is_refused() throws Exception {
        String cut = CUT.replace("{regions: [a]}", "{regions: [a]}, target: {selector: {regions: [%s]}}");
        Drill nowhere = drill(cut.formatted("b, nowhere"), HEAL);

        assertThatThrownBy(() -> run(nowhere))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("cut: target must be all other regions, which are [b]")
                .hasMessageContaining("got [b, nowhere]");
        assertThat(target.deeds).isEmpty();
        assertThat(run(drill(cut.formatted("b"), HEAL)).status()).isEqualTo(Status.COMPLETED);
    }

    @Test
    void a_world_without_kafka_is_in_as_many_parts_as_it_has_regions() throws Exception {
        DrillResult result = run(drill(KILL.formatted("kafka"), HEAL));

        assertThat(result.history().of(NetworkSplit.class).stream().map(NetworkSplit::parts))
                .containsExactly(2, 1);
        assertThat(target.deeds).containsExactly("create", "kill kafka", "start kafka", "remove");
    }

    private static void await(BooleanSupplier condition) {
        assertThat(awaitAtMost(300_000, condition)).isTrue();
    }

    private static boolean awaitAtMost(long millis, BooleanSupplier condition) {
        long givesUp = TimeSource.system().monotonicNanos() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (!condition.getAsBoolean()) {
            if (TimeSource.system().monotonicNanos() > givesUp) {
                return false;
            }
            Thread.onSpinWait();
        }
        return true;
    }

    private static void touch(Path file) {
        try {
            Files.createFile(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private DrillResult run(Drill drill) throws Exception {
        return run(drill, event -> {});
    }

    private DrillResult run(Drill drill, Consumer<Event> listener) throws Exception {
        SkippedTime time = new SkippedTime();
        return new DrillRun(drill, target, new DrillClock(time, time::skip), PATIENT).run(listener);
    }

    private Drill drill(String method, String rollbacks) throws Exception {
        return read(text(method, rollbacks));
    }

    private static String text(String method, String rollbacks) {
        return text(method, rollbacks, "60s");
    }

    /** @param recovery how long the world is waited for after the rollbacks */
    private static String text(String method, String rollbacks, String recovery) {
        return ("title: t\nmethod: [%s]\nrollbacks: [%s]\nextensions: [{name: meridian, load: {window: 1s,"
                        + " windows: {control: 1, fault: 1, recovery: 1}, policies: [{sharing: regional, limit: 20, demand: 2}]},"
                        + " checkers: {recovery: %s}}]\n")
                .formatted(method, rollbacks, recovery);
    }

    private Drill read(String text) throws Exception {
        return DrillFile.read(Files.writeString(folder.resolve("mine.yaml"), text));
    }
}
