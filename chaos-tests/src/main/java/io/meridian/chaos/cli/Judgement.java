package io.meridian.chaos.cli;

import io.meridian.chaos.drill.file.Deadlines;
import io.meridian.chaos.drill.history.History;
import io.meridian.chaos.drill.report.DrillReport;
import io.meridian.chaos.drill.run.DrillResult;
import io.meridian.chaos.drill.run.DrillResult.Status;
import io.meridian.chaos.drill.screen.Summary;
import io.meridian.chaos.drill.verdict.Checkers;
import io.meridian.chaos.drill.verdict.Lateness;
import io.meridian.chaos.drill.verdict.Promises;
import io.meridian.chaos.drill.verdict.State;
import io.meridian.chaos.drill.verdict.Verdict;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;

/** What is to be said of a drill that has been run. */
public record Judgement(DrillResult result) {
    public Verdict verdict() {
        Verdict seen = of(result.history(), result.drill().deadlines());
        return result.status() == Status.COMPLETED ? seen : seen.incomplete(why());
    }

    /** What the checkers say of a history, whoever ran it. */
    static Verdict of(History history, Deadlines deadlines) {
        Promises promises = new Promises(deadlines.convergence(), deadlines.recovery(), deadlines.takeover());
        return Checkers.of(history.subjects(), promises).judge(history);
    }

    private String why() {
        String reason = result.reason().isEmpty() ? "the steady state was not there after it" : result.reason();
        return result.status().word() + ": " + reason;
    }

    /** Writes the report, and says the verdict. */
    int write(Path folder, PrintWriter terminal) throws IOException {
        Verdict verdict = verdict();
        DrillReport.write(folder, result.history(), verdict, JournalOf.of(result, verdict.overall() == State.VIOLATED));
        Summary.print(Progress.terminal(), verdict, Lateness.Summary.of(result.history()));
        terminal.println("Page: " + folder.resolve(DrillReport.PAGE).toAbsolutePath());
        return verdict.exitCode();
    }
}
