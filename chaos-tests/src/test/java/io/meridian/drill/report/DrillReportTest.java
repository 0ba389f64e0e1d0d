package io.meridian.drill.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.meridian.drill.checks.DrillVerdict;
import io.meridian.drill.checks.DrillVerdict.Judged;
import io.meridian.drill.checks.Finding.State;
import io.meridian.drill.history.DrillHistory;
import io.meridian.drill.history.Event;
import io.meridian.drill.history.HistoryFile;
import io.meridian.drill.history.Lateness;
import io.meridian.drill.report.DrillReport.SavedReport;
import io.meridian.drill.report.TimelineData.Buckets;
import io.meridian.drill.sample.Changes;
import io.meridian.drill.sample.SampleDrill;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DrillReportTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path folder;

    DrillReportTest(@TempDir Path folder) {
        this.folder = folder;
    }

    @Test
    void a_history_read_back_is_the_same() throws IOException {
        DrillHistory history = PageMaker.violated();

        PageMaker.write(folder, history);

        assertThat(HistoryFile.read(folder.resolve(DrillReport.HISTORY))).isEqualTo(history);
        List<String> lines = Files.readAllLines(folder.resolve(DrillReport.HISTORY));
        assertThat(lines).hasSize(history.events().size() + 1);
        assertThat(JSON.readTree(lines.get(0)).path("version").asInt()).isEqualTo(3);
    }

    @Test
    void a_line_that_is_no_event_is_refused_by_its_number() throws IOException {
        PageMaker.write(folder, new SampleDrill().without(event -> true).history());
        Path file = folder.resolve(DrillReport.HISTORY);
        Files.writeString(
                file, Files.readAllLines(file).get(0) + "\n{\"event\":\"Recovered\"}\n{\"event\":\"Guessed\"}\n");

        assertThatIOException()
                .isThrownBy(() -> HistoryFile.read(file))
                .withMessageStartingWith("history.jsonl, line 3: event must be one of")
                .withMessageEndingWith("got \"Guessed\"");
    }

    @Test
    void a_history_of_an_older_version_is_refused_with_both_versions_and_what_to_do() throws IOException {
        PageMaker.write(folder, new SampleDrill().without(event -> true).history());
        Path file = folder.resolve(DrillReport.HISTORY);
        Files.writeString(file, "{\"version\":2,\"drill\":\"cut-one-region\"}\n{\"event\":\"Recovered\"}\n");

        String refusal = file + " has version 2 of the history format, and this build reads version 3."
                + " Run the drill again to get a report of version 3.";
        assertThatIOException().isThrownBy(() -> HistoryFile.read(file)).withMessage(refusal);
        assertThatIOException().isThrownBy(() -> DrillReport.read(folder)).withMessage(refusal);
    }

    @Test
    void a_fault_without_a_type_is_refused_by_its_line() throws IOException {
        PageMaker.write(folder, new SampleDrill().without(event -> true).history());
        Path file = folder.resolve(DrillReport.HISTORY);
        Files.writeString(
                file,
                Files.readAllLines(file).get(0)
                        + "\n{\"event\":\"FaultBegan\",\"fault\":\"f\",\"description\":\"redis-us-east killed\"}\n");

        assertThatIOException()
                .isThrownBy(() -> HistoryFile.read(file))
                .withMessageStartingWith("history.jsonl, line 2: ")
                .withMessageContaining("injected must be given");
    }

    @Test
    void a_verdict_read_back_is_the_same() throws IOException {
        DrillVerdict verdict = PageMaker.write(folder, PageMaker.violated());

        SavedReport saved = DrillReport.read(folder);

        assertThat(saved.drill()).isEqualTo("kill-redis");
        assertThat(saved.startedAt()).isEqualTo(SampleDrill.STARTED);
        assertThat(saved.verdict().sentence()).isEqualTo(verdict.sentence());
        assertThat(saved.verdict().exitCode()).isEqualTo(1);
        assertThat(saved.verdict().findings().stream()
                        .map(judged -> judged.finding().description()))
                .containsExactlyElementsOf(verdict.findings().stream()
                        .map(judged -> judged.finding().description())
                        .toList());
        assertThat(saved.lateness()).isEqualTo(Lateness.Summary.of(PageMaker.violated()));
        assertThat(saved.page()).exists();
    }

    @Test
    void a_folder_without_results_is_refused_by_name() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DrillReport.read(folder))
                .withMessageContaining("has no results.json");
    }

    @Test
    void the_journal_has_the_fields_of_a_chaos_toolkit_journal() throws IOException {
        PageMaker.write(folder, PageMaker.unknown());

        JsonNode journal = JSON.readTree(folder.resolve(DrillReport.JOURNAL).toFile());

        assertThat(journal.fieldNames())
                .toIterable()
                .containsExactlyInAnyOrder(
                        "chaoslib-version",
                        "platform",
                        "node",
                        "experiment",
                        "start",
                        "end",
                        "status",
                        "deviated",
                        "steady_states",
                        "run",
                        "rollbacks",
                        "duration",
                        "lateness");
        assertThat(journal.at("/lateness/judged/p99_millis").asDouble()).isEqualTo(0.3);
        assertThat(journal.at("/lateness/starved_above_millis").asDouble()).isEqualTo(50);
        assertThat(journal.at("/steady_states/before/steady_state_met").asBoolean())
                .isTrue();
        assertThat(journal.at("/steady_states/before/probes/0/tolerance_met").asBoolean())
                .isTrue();
        assertThat(journal.at("/run/0/status").asText()).isEqualTo("succeeded");
    }

    @Test
    void results_tell_of_every_window_in_every_region() throws IOException {
        PageMaker.write(folder, new SampleDrill().history());

        JsonNode results = JSON.readTree(folder.resolve(DrillReport.RESULTS).toFile());

        assertThat(results.path("verdict").asText()).isEqualTo("VALID");
        assertThat(results.path("exit_code").asInt()).isZero();
        assertThat(results.path("windows")).hasSize(11 + 11 + 55);
        assertThat(results.at("/windows/4/admitted").asLong()).isEqualTo(300);
        assertThat(results.at("/windows/4/by_region/ap-south").asLong()).isEqualTo(30);
        assertThat(results.at("/judged/findings/0/finding/figures/bound").asLong())
                .isEqualTo(300);
    }

    @Test
    void a_window_above_its_bound_that_nobody_judges_is_told_as_such() throws IOException {
        DrillHistory history = new SampleDrill()
                .checks(
                        check -> check.policy().equals("drill-converge") && check.atNanos() < SampleDrill.seconds(5),
                        Changes::allowed)
                .toldAnew()
                .history();
        PageMaker.write(folder, history);

        JsonNode results = JSON.readTree(folder.resolve(DrillReport.RESULTS).toFile());

        assertThat(results.path("verdict").asText()).isEqualTo("VALID");
        assertThat(results.at("/windows/11/kept").asBoolean()).isFalse();
        assertThat(results.at("/windows/11/judged").asBoolean()).isFalse();
        assertThat(results.at("/windows/12/judged").asBoolean()).isTrue();
    }

    @Test
    void the_lateness_of_a_starved_machine_stands_in_page_results_and_journal() throws IOException {
        PageMaker.write(folder, PageMaker.starved());

        assertThat(Files.readString(folder.resolve(DrillReport.PAGE)))
                .contains("Not judged, because the machine was starved: p99 lateness 84 ms.")
                .contains("84 ms at p99, 84 ms at most: the machine was starved.");
        for (String file : List.of(DrillReport.RESULTS, DrillReport.JOURNAL)) {
            JsonNode lateness = JSON.readTree(folder.resolve(file).toFile()).path("lateness");
            assertThat(lateness.at("/judged/p99_millis").asDouble()).as(file).isEqualTo(84);
            assertThat(lateness.at("/phases/control/p99_millis").asDouble())
                    .as(file)
                    .isEqualTo(0.3);
        }
    }

    @Test
    void a_drill_that_saw_nothing_has_a_report_too() throws IOException {
        DrillVerdict verdict =
                PageMaker.write(folder, new SampleDrill().without(event -> true).history());

        assertThat(verdict.findings().stream().map(Judged::finding))
                .allMatch(finding -> finding.state() == State.UNKNOWN);
        assertThat(Files.readString(folder.resolve(DrillReport.PAGE))).contains("Not proven");
    }

    @Test
    void a_long_drill_has_a_page_no_larger_than_can_be_drawn() throws IOException {
        PageMaker.write(
                folder,
                new SampleDrill()
                        .with(new Event.Recovered(SampleDrill.seconds(7_200), "late"))
                        .history());

        assertThat(Buckets.over(SampleDrill.seconds(7_200)).count()).isLessThanOrEqualTo(482);
        assertThat(Files.size(folder.resolve(DrillReport.PAGE))).isLessThan(1_000_000);
    }
}
