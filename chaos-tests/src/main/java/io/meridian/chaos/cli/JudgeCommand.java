package io.meridian.chaos.cli;

import static java.util.stream.Collectors.joining;

import io.meridian.chaos.drill.verdict.State;
import io.meridian.chaos.drill.verdict.Verdict;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Judges again what was seen of drills that were run earlier. Their reports stay as they are. */
@Command(
        name = "judge",
        mixinStandardHelpOptions = true,
        description = "Judges saved drills again, by what was seen of them and the checkers of today.")
final class JudgeCommand implements Callable<Integer> {
    @Parameters(paramLabel = "FOLDER", arity = "1..*", description = "A drill's report.")
    private List<Path> folders = new ArrayList<>();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        Series series = new Series();
        for (Path folder : folders) {
            SavedDrill saved = SavedDrill.read(folder);
            Verdict verdict = saved.verdict();
            series.add(saved.history().drill(), verdict.exitCode());
            out.printf(
                    "%s  %s%s%n",
                    folder.toAbsolutePath().normalize().getFileName(),
                    verdict.overall().name().toLowerCase(Locale.ROOT),
                    notHeld(verdict));
        }
        series.print(out);
        return series.exitCode();
    }

    private static String notHeld(Verdict verdict) {
        return verdict.findings().stream()
                .filter(judged -> judged.finding().state() != State.VALID)
                .map(judged -> "  " + judged.promise() + ": " + judged.finding().words())
                .collect(joining());
    }
}
