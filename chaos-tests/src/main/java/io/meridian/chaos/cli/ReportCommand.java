package io.meridian.chaos.cli;

import io.meridian.chaos.drill.report.DrillReport;
import io.meridian.chaos.drill.report.Saved;
import io.meridian.chaos.drill.screen.Summary;
import io.meridian.chaos.drill.world.TargetFailure;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows again what a drill found. */
@Command(
        name = "report",
        mixinStandardHelpOptions = true,
        description = "Shows again what a drill found, the last one's unless told which.")
final class ReportCommand implements Callable<Integer> {
    @Parameters(paramLabel = "FOLDER", arity = "0..1", description = "A drill's report.")
    private Optional<Path> folder = Optional.empty();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        Path report = folder.isPresent()
                ? folder.get()
                : Places.lastReport()
                        .orElseThrow(() -> new TargetFailure(
                                "No drill has been run yet: there is no report in " + Places.drills()));
        Saved saved = DrillReport.read(report);
        PrintWriter out = spec.commandLine().getOut();
        out.printf("%s (%s), %s, %.0f s%n", saved.title(), saved.drill(), saved.startedAt(), saved.seconds());
        out.flush();
        Summary.print(Progress.terminal(), saved.verdict(), saved.lateness());
        out.println("Page: " + saved.page());
        return saved.verdict().exitCode();
    }
}
