package io.meridian.drill.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.meridian.drill.checks.Checker;
import io.meridian.drill.checks.DrillVerdict;
import io.meridian.drill.console.DrillProgress.Rates;
import io.meridian.drill.console.DrillProgress.RegionCount;
import io.meridian.drill.console.ScreenFrame.Bar;
import io.meridian.drill.console.Terminal.Paint;
import io.meridian.drill.console.Terminal.StyledLine;
import io.meridian.drill.definition.Drill.Deadlines;
import io.meridian.drill.history.DrillHistory;
import io.meridian.drill.history.Event;
import io.meridian.drill.history.Lateness;
import io.meridian.drill.sample.Changes;
import io.meridian.drill.sample.SampleDrill;
import io.meridian.model.time.TimeSource;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LiveScreenTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    private final Clock clock = new Clock();

    @Test
    void a_picture_shows_phase_faults_rates_totals_leaders_and_failures() {
        DrillProgress tally = new DrillProgress(SampleDrill.REGIONS, List.of(SampleDrill.ESCROW, SampleDrill.REGIONAL));
        until(
                24,
                new SampleDrill()
                        .checks(LiveScreenTest::failsAt22, Changes::failed)
                        .history(),
                tally);

        List<String> lines = new ScreenFrame("One region is cut off", tally, rate(), SampleDrill.seconds(24))
                .full(100).stream().map(line -> line.show(100, Paint.PLAIN)).toList();

        assertThat(lines)
                .contains(
                        "One region is cut off",
                        "  24 s  fault for 4 s  network in 2 parts",
                        "  fault  ap-south cut off from Kafka, both directions",
                        "  us-east           12/s allowed     8/s denied",
                        "  escrow         [#############################.|           296 of 300",
                        "  leaders: sync-1 8, sync-2 8",
                        "  failed checks: 15, last: no answer in 2 s");
    }

    @Test
    void a_total_above_its_limit_shows_behind_the_mark() {
        StyledLine line = new StyledLine();
        new Bar(330, 300, 30).addTo(line);

        assertThat(line.show(80, Paint.PLAIN)).isEqualTo("[" + "#".repeat(30) + "|!!!!       330 of 300");
    }

    @Test
    void a_narrow_terminal_cuts_lines_and_never_wraps_them() {
        LiveScreen screen = screen(new Terminal(out, true, 40));
        new SampleDrill().history().events().forEach(screen);
        screen.paint();

        assertThat(Arrays.stream(
                        text().replaceAll("\u001b\\[[0-9;]*[A-Za-z]", "").split("\n", -1)))
                .allMatch(line -> line.length() < 40)
                .hasSizeGreaterThan(10);
        screen.close();
    }

    @Test
    void a_terminal_is_painted_over_in_place() {
        LiveScreen screen = screen(new Terminal(out, true, 80));
        screen.paint();
        int lines = text().split("\n", -1).length - 1;
        screen.paint();

        assertThat(text()).contains("\u001b[" + lines + "A");
        screen.close();
    }

    @Test
    void without_a_terminal_each_phase_and_fault_is_a_plain_line() {
        LiveScreen screen = screen(Terminal.of(out, false, Map.of("TERM", "xterm")));
        new SampleDrill().history().events().forEach(screen);
        clock.nanos = SampleDrill.seconds(60);
        screen.close();

        assertThat(text())
                .contains("   20 s  phase: FAULT", "   20 s  fault: ap-south cut off from Kafka", "   60 s  quiet")
                .doesNotContain("\u001b");
    }

    @Test
    void the_environment_decides_how_it_is_shown() {
        assertThat(Terminal.of(out, true, Map.of("TERM", "xterm", "COLUMNS", "120")))
                .isEqualTo(new Terminal(out, true, 120));
        assertThat(Terminal.of(out, true, Map.of("TERM", "xterm", "NO_COLOR", "1"))
                        .live())
                .isFalse();
        assertThat(Terminal.of(out, true, Map.of("COLUMNS", "wide")).width()).isEqualTo(80);
        assertThat(Terminal.of(out, true, Map.of("COLUMNS", "3")).width()).isEqualTo(40);
    }

    @Test
    void nothing_that_happens_makes_it_throw() {
        PrintStream broken = new PrintStream(bytes, true, StandardCharsets.UTF_8) {
            @Override
            public void println(String line) {
                throw new IllegalStateException("gone");
            }
        };
        LiveScreen screen = screen(new Terminal(broken, false, 80));

        assertThatCode(() -> {
                    screen.accept(new Event.LeaderObserved(0, 1, "sync-1", 1));
                    screen.paint();
                    screen.close();
                    screen.accept(new Event.FaultEnded(0, "never began"));
                    screen.close();
                })
                .doesNotThrowAnyException();
    }

    @Test
    void names_cannot_move_the_cursor() {
        assertThat(StyledLine.of("a\u001b[2Jb\nc").show(80, Paint.PLAIN)).isEqualTo("a?[2Jb?c");
    }

    @Test
    void the_summary_has_a_row_for_each_promise_and_the_sentence() {
        DrillHistory history = new SampleDrill()
                .checks(LiveScreenTest::failsAt22, Changes::failed)
                .history();
        DrillVerdict verdict = DrillVerdict.of(Checker.all(history.subjects(), Deadlines.DEFAULT), history);

        VerdictSummary.print(new Terminal(out, false, 72), verdict, Lateness.Summary.of(history));

        assertThat(text())
                .contains(
                        "  held      bound of drill-escrow\n",
                        "  BROKEN    no failed check\n",
                        "  load      lateness\n")
                .contains("15,000 checks were sent 0.3 ms late at p50, 0 ms")
                .contains("\nA promise was broken: no failed check.\n");
        assertThat(text().split("\n", -1)).allMatch(line -> line.length() <= 72);
    }

    private static boolean failsAt22(Event.Checked check) {
        return check.atNanos() == SampleDrill.seconds(22);
    }

    private static void until(double seconds, DrillHistory history, DrillProgress tally) {
        history.events().stream()
                .filter(event -> event.atNanos() < SampleDrill.seconds(seconds))
                .forEach(tally::accept);
    }

    private static Map<String, RegionCount> rate() {
        Rates rates = new Rates();
        rates.at(0, Map.of("us-east", RegionCount.NONE));
        return rates.at(SampleDrill.seconds(2), Map.of("us-east", new RegionCount(24, 16, 0, 0)));
    }

    private LiveScreen screen(Terminal terminal) {
        return new LiveScreen(
                terminal, "title", SampleDrill.REGIONS, List.of(SampleDrill.ESCROW, SampleDrill.REGIONAL), clock);
    }

    private String text() {
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private static final class Clock implements TimeSource {
        private long nanos;

        @Override
        public long monotonicNanos() {
            return nanos;
        }

        @Override
        public long wallMicros() {
            return 0;
        }
    }
}
