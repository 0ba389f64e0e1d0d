package io.meridian.drill.cli;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.meridian.drill.checks.DrillVerdict;
import io.meridian.drill.checks.Finding.State;
import io.meridian.drill.console.Terminal;
import io.meridian.drill.console.VerdictSummary;
import io.meridian.drill.definition.Activity;
import io.meridian.drill.definition.Drill;
import io.meridian.drill.definition.DrillFile;
import io.meridian.drill.definition.DrillFile.InvalidDrillException;
import io.meridian.drill.definition.LoadPlan;
import io.meridian.drill.definition.Provider;
import io.meridian.drill.history.DrillHistory;
import io.meridian.drill.history.HistoryFile;
import io.meridian.drill.history.HistoryFile.UnreadableHistoryException;
import io.meridian.drill.report.DrillReport;
import io.meridian.drill.report.DrillReport.SavedReport;
import io.meridian.drill.targets.DrillTarget.TargetException;
import io.meridian.stack.StackState;
import io.meridian.stack.plan.Regions;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
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
            DrillMain.DescribeCommand.class,
            RunCommand.class,
            DrillMain.ReportCommand.class,
            DrillMain.JudgeCommand.class,
            DrillMain.ValidateCommand.class,
            HelpCommand.class
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
                    command.getErr()
                            .println(
                                    wrong
                                            ? message(e)
                                            : "The command failed unexpectedly, which is a defect of it: "
                                                    + e.getMessage());
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

        @Option(names = "--json", description = "Print JSON, for programs.")
        private boolean json;

        @Spec
        private CommandSpec spec = CommandSpec.create();

        @Override
        public Integer call() throws IOException {
            PrintWriter out = spec.commandLine().getOut();
            if (json) {
                out.println(asJson());
                return 0;
            }
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

        private static ArrayNode asJson() throws IOException {
            ArrayNode drills = JsonNodeFactory.instance.arrayNode();
            for (String name : DrillFile.BUILT_IN) {
                Drill drill = DrillFile.builtIn(name);
                drills.addObject()
                        .put("name", name)
                        .put("title", drill.title())
                        .put("description", drill.description())
                        .put("seconds", drill.expectedDuration().toSeconds());
            }
            return drills;
        }

        private static String does(Drill drill) {
            return drill.method().stream().map(Activity::name).distinct().collect(joining("; "));
        }
    }

    /** Command {@code meridian drill describe}. */
    @Command(
            name = "describe",
            mixinStandardHelpOptions = true,
            description = "Shows what a drill does, step by step, under which load, and how long things may take.")
    static final class DescribeCommand implements Callable<Integer> {
        @Parameters(paramLabel = "NAME|FILE", description = "A drill of ./meridian drill list, or a file of your own.")
        private String name = "";

        @Option(names = "--json", description = "Print the drill's file as JSON, for programs.")
        private boolean json;

        @Spec
        private CommandSpec spec = CommandSpec.create();

        @Override
        public Integer call() throws IOException {
            Drill drill = DrillFile.find(name);
            PrintWriter out = spec.commandLine().getOut();
            if (json) {
                out.println(drill.source());
                return 0;
            }
            out.println(drill.title() + " (" + drill.name() + ")");
            out.println(drill.description());
            out.printf(
                    "%nAbout %d s. Tags: %s.%n", drill.expectedDuration().toSeconds(), String.join(", ", drill.tags()));
            print(out, "Before and after, it must hold that", drill.hypothesis());
            print(out, "Steps", drill.method());
            print(out, "In the end, also after Ctrl-C", drill.rollbacks());
            LoadPlan load = drill.load();
            out.printf(
                    "%nLoad: windows of %d s, %d before, at least %d with the fault, %d after the recovery.%n",
                    load.window().toSeconds(), load.controlWindows(), load.faultWindows(), load.recoveryWindows());
            load.policies()
                    .forEach(policy -> out.printf(
                            "  %s limit of %d, requested %s times, arriving %s%n",
                            word(policy.sharing()), policy.limit(), policy.demand(), word(policy.arrival())));
            out.printf(
                    "%nDeadlines: convergence %d s, recovery %d s, takeover %d s.%n",
                    drill.deadlines().convergence().toSeconds(),
                    drill.deadlines().recovery().toSeconds(),
                    drill.deadlines().takeover().toSeconds());
            return 0;
        }

        private static void print(PrintWriter out, String title, List<Activity> activities) {
            if (activities.isEmpty()) {
                return;
            }
            out.println("\n" + title + ":");
            for (int i = 0; i < activities.size(); i++) {
                Activity each = activities.get(i);
                out.println("  " + (i + 1) + ". " + each.name() + pause(", after ", each.pauseBefore())
                        + pause(", then waits ", each.pauseAfter()) + (each.background() ? ", in the background" : ""));
            }
        }

        private static String pause(String words, Duration pause) {
            return pause.isZero() ? "" : words + pause.toMillis() / 1000.0 + " s";
        }

        private static String word(Enum<?> value) {
            return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** Command {@code meridian drill validate}, which prints all errors of a file. */
    @Command(
            name = "validate",
            mixinStandardHelpOptions = true,
            description = "Validates a drill file, and that the regions which it names exist.")
    static final class ValidateCommand implements Callable<Integer> {
        @Parameters(paramLabel = "FILE", description = "A drill file, YAML or JSON; or the name of a built-in drill.")
        private String file = "";

        @Option(
                names = "--region",
                paramLabel = "NAME",
                description = {
                    "A region of the deployment that it is for, as often as there are regions.",
                    "Default: those of the running stack, else the five of the local stack."
                })
        private List<String> regions = new ArrayList<>();

        @Spec
        private CommandSpec spec = CommandSpec.create();

        @Override
        public Integer call() throws IOException {
            Drill drill = DrillFile.find(file);
            List<String> known = regions.isEmpty() ? stackRegions() : List.copyOf(regions);
            List<String> errors = Stream.concat(drill.method().stream(), drill.rollbacks().stream())
                    .flatMap(activity -> errors(activity, known).stream())
                    .toList();
            if (!errors.isEmpty()) {
                throw new InvalidDrillException(file, errors);
            }
            spec.commandLine()
                    .getOut()
                    .printf(
                            "%s is a valid drill: %s, about %d s, for the regions %s%n",
                            file, drill.title(), drill.expectedDuration().toSeconds(), String.join(", ", known));
            return 0;
        }

        private static List<String> stackRegions() throws IOException {
            return StackState.read(DrillFolders.state())
                    .map(StackState::regions)
                    .orElse(Regions.ALL);
        }

        private static List<String> errors(Activity activity, List<String> known) {
            List<String> errors = new ArrayList<>();
            Consumer<String> check = region -> {
                if (!known.contains(region)) {
                    errors.add("%s: region must be one of %s, got %s"
                            .formatted(activity.name(), String.join(", ", known), region));
                }
            };
            if (activity.provider() instanceof Provider.Network network) {
                network.fault().regions().forEach(check);
                network.fault().others().forEach(check);
                if (errors.isEmpty()) {
                    try {
                        network.fault().requireOthers(known);
                    } catch (IllegalArgumentException wrong) {
                        errors.add(activity.name() + ": " + wrong.getMessage());
                    }
                }
            } else if (activity.provider() instanceof Provider.Part part
                    && !part.fault().region().isEmpty()) {
                check.accept(part.fault().region());
            }
            return errors;
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
