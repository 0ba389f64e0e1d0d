package io.meridian.drill.cli;

import static java.util.stream.Collectors.joining;

import io.meridian.drill.checks.DrillVerdict;
import io.meridian.drill.checks.Finding.State;
import io.meridian.drill.console.Terminal;
import io.meridian.drill.console.VerdictSummary;
import io.meridian.drill.definition.Activity;
import io.meridian.drill.definition.Drill;
import io.meridian.drill.definition.DrillFile;
import io.meridian.drill.definition.DrillFile.InvalidDrillException;
import io.meridian.drill.history.DrillHistory;
import io.meridian.drill.history.HistoryFile;
import io.meridian.drill.history.HistoryFile.UnreadableHistoryException;
import io.meridian.drill.report.DrillReport;
import io.meridian.drill.report.DrillReport.SavedReport;
import io.meridian.drill.targets.DrillTarget.TargetException;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Command {@code meridian drill}. */
@Command(
        name = "drill",
        description = "Injects faults under load, and checks whether the limits hold.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "",
            "Exit codes: 0 every promise held, 1 one was broken, 3 one could not be judged, 2 wrong arguments or an invalid file."
        },
        subcommands = {
            DrillMain.ListCommand.class,
            RunCommand.class,
            DrillMain.ReportCommand.class,
            DrillMain.JudgeCommand.class,
            DrillMain.ValidateCommand.class
        })
public final class DrillMain {
    /** Exit code for wrong arguments, an invalid file or an unsuitable target. */
    static final int EXIT_WRONG = 2;

    /** Exit code for an unexpected failure, which leaves every promise unknown. */
    static final int EXIT_UNKNOWN = 3;

    private DrillMain() {}

    public static void main(String[] args) {
        System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", "off");
        System.setProperty("java.util.logging.manager", "org.jboss.logmanager.LogManager");
        int code =
                commandLine().setOut(utf8(System.out)).setErr(utf8(System.err)).execute(args);
        InterruptHandler.mainIsDone();
        System.exit(code);
    }

    private static PrintWriter utf8(PrintStream stream) {
        return new PrintWriter(stream, true, StandardCharsets.UTF_8);
    }

    static CommandLine commandLine() {
        return new CommandLine(new DrillMain())
                .setCommandName("meridian drill")
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler((e, command, parsed) -> {
                    boolean wrong = e instanceof InvalidDrillException
                            || e instanceof TargetException
                            || e instanceof IllegalArgumentException
                            || e instanceof UnreadableHistoryException
                            || e instanceof NoSuchFileException;
                    command.getErr().println(wrong ? message(e) : "Unexpected: " + e);
                    return wrong ? EXIT_WRONG : EXIT_UNKNOWN;
                });
    }

    private static String message(Exception e) {
        return e instanceof NoSuchFileException ? "There is no file " + e.getMessage() : String.valueOf(e.getMessage());
    }

    /** Command {@code meridian drill list}. */
    @Command(name = "list", mixinStandardHelpOptions = true, description = "Lists the built-in drills.")
    static final class ListCommand implements Callable<Integer> {
        @Option(names = "--long", description = "With descriptions.")
        private boolean descriptions;

        @Spec
        private CommandSpec spec = CommandSpec.create();

        @Override
        public Integer call() throws IOException {
            PrintWriter out = spec.commandLine().getOut();
            out.printf("%-16s  %-6s  %-48s  %s%n", "NAME", "TAKES", "TITLE", "DOES");
            for (String name : DrillFile.BUILT_IN) {
                Drill drill = DrillFile.builtIn(name);
                out.printf(
                        "%-16s  %-6s  %-48s  %s%n",
                        name, "~" + drill.expectedDuration().toSeconds() + " s", drill.title(), does(drill));
                if (descriptions) {
                    out.println("    " + drill.description() + "\n");
                }
            }
            out.println("\n./meridian drill run NAME runs one; NAME may be a file of your own, of the same format.");
            return 0;
        }

        private static String does(Drill drill) {
            return drill.method().stream().map(Activity::name).distinct().collect(joining("; "));
        }
    }

    /** Command {@code meridian drill validate}, which prints all errors of a file. */
    @Command(name = "validate", mixinStandardHelpOptions = true, description = "Validates a drill file.")
    static final class ValidateCommand implements Callable<Integer> {
        @Parameters(paramLabel = "FILE", description = "A drill file, YAML or JSON; or the name of a built-in drill.")
        private String file = "";

        @Spec
        private CommandSpec spec = CommandSpec.create();

        @Override
        public Integer call() throws IOException {
            Drill drill = DrillFile.find(file);
            spec.commandLine()
                    .getOut()
                    .printf(
                            "%s is a valid drill: %s, about %d s%n",
                            file, drill.title(), drill.expectedDuration().toSeconds());
            return 0;
        }
    }

    /** Command {@code meridian drill report}. */
    @Command(
            name = "report",
            mixinStandardHelpOptions = true,
            description = "Prints the verdict of a saved drill, by default of the last one.")
    static final class ReportCommand implements Callable<Integer> {
        @Parameters(paramLabel = "FOLDER", arity = "0..1", description = "Folder of a drill's report.")
        private Optional<Path> folder = Optional.empty();

        @Spec
        private CommandSpec spec = CommandSpec.create();

        @Override
        public Integer call() throws IOException {
            Path report = folder.isPresent()
                    ? folder.get()
                    : DrillFolders.lastReport()
                            .orElseThrow(() -> new TargetException(
                                    "no drill has been run yet: there is no report in " + DrillFolders.drills()));
            SavedReport saved = DrillReport.read(report);
            PrintWriter out = spec.commandLine().getOut();
            out.printf("%s (%s), %s, %.0f s%n", saved.title(), saved.drill(), saved.startedAt(), saved.seconds());
            out.flush();
            VerdictSummary.print(Terminal.system(), saved.verdict(), saved.lateness());
            out.println("Page: " + saved.page());
            return saved.verdict().exitCode();
        }
    }

    /** Command {@code meridian drill judge}, which leaves reports as they are. */
    @Command(
            name = "judge",
            mixinStandardHelpOptions = true,
            description = "Judges saved histories again, with the checkers of this build.")
    static final class JudgeCommand implements Callable<Integer> {
        @Parameters(paramLabel = "FOLDER", arity = "1..*", description = "Folder of a drill's report.")
        private List<Path> folders = new ArrayList<>();

        @Spec
        private CommandSpec spec = CommandSpec.create();

        @Override
        public Integer call() throws IOException {
            PrintWriter out = spec.commandLine().getOut();
            DrillSeries series = new DrillSeries();
            for (Path folder : folders) {
                DrillHistory history =
                        HistoryFile.read(DrillReport.requireComplete(folder).resolve(DrillReport.HISTORY));
                DrillVerdict verdict = DrillJudge.verdict(folder, history);
                series.add(history.drill(), verdict.exitCode());
                out.printf(
                        "%s  %s%s%n",
                        folder.toAbsolutePath().normalize().getFileName(),
                        verdict.overall().name().toLowerCase(Locale.ROOT),
                        notHeld(verdict));
            }
            series.print(out);
            return series.exitCode();
        }

        private static String notHeld(DrillVerdict verdict) {
            return verdict.findings().stream()
                    .filter(judged -> judged.finding().state() != State.VALID)
                    .map(judged ->
                            "  " + judged.promise() + ": " + judged.finding().description())
                    .collect(joining());
        }
    }
}
