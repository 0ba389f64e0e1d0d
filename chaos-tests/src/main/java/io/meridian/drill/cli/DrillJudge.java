package io.meridian.drill.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.meridian.drill.checks.Checker;
import io.meridian.drill.checks.DrillVerdict;
import io.meridian.drill.checks.Finding.State;
import io.meridian.drill.console.Terminal;
import io.meridian.drill.console.VerdictSummary;
import io.meridian.drill.definition.Drill.Deadlines;
import io.meridian.drill.definition.DrillFile;
import io.meridian.drill.history.DrillHistory;
import io.meridian.drill.history.HistoryFile;
import io.meridian.drill.history.Lateness;
import io.meridian.drill.report.DrillReport;
import io.meridian.drill.report.Journal;
import io.meridian.drill.runner.DrillResult;
import io.meridian.drill.runner.DrillResult.Status;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;

/** Judgement of drills by all checkers: of a run that just ended, and of the saved history of an earlier one. */
final class DrillJudge {
    private DrillJudge() {}

    static DrillVerdict verdict(DrillResult result) {
        DrillVerdict verdict = verdict(result.history(), result.drill().deadlines());
        if (result.status() == Status.COMPLETED) {
            return verdict;
        }
        String reason = result.reason().isEmpty() ? "the steady state did not hold after it" : result.reason();
        return verdict.incomplete(result.status().word() + ": " + reason);
    }

    /** Judges a saved history by the deadlines and the status in the journal beside it. */
    static DrillVerdict verdict(Path folder, DrillHistory history) throws IOException {
        Path file = folder.resolve(DrillReport.JOURNAL);
        JsonNode journal = HistoryFile.JSON.readTree(file.toFile());
        Deadlines deadlines = DrillFile.read(file.toString(), history.drill(), journal.path("experiment"))
                .deadlines();
        DrillVerdict verdict = verdict(history, deadlines);
        String status = journal.path("status").asText();
        return status.equals(Status.COMPLETED.word()) ? verdict : verdict.incomplete(status);
    }

    private static DrillVerdict verdict(DrillHistory history, Deadlines deadlines) {
        return DrillVerdict.of(Checker.all(history.subjects(), deadlines), history);
    }

    /** Writes the report of a run, prints its verdict, and returns its exit code. */
    static int write(DrillResult result, Path folder, PrintWriter out) throws IOException {
        DrillVerdict verdict = verdict(result);
        Lateness.Summary lateness = Lateness.Summary.of(result.history());
        Journal journal = Journal.of(result, verdict.overall() == State.VIOLATED, lateness);
        DrillReport.write(folder, result.history(), verdict, journal);
        VerdictSummary.print(Terminal.system(), verdict, lateness);
        out.println("Page: " + folder.resolve(DrillReport.PAGE).toAbsolutePath());
        return verdict.exitCode();
    }
}
