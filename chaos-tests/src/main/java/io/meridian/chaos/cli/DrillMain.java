package io.meridian.chaos.cli;

import io.meridian.chaos.drill.file.BadDrillFile;
import io.meridian.chaos.drill.report.UnreadableHistory;
import io.meridian.chaos.drill.world.TargetFailure;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command of drills. */
@Command(
        name = "drill",
        description = "Cuts the world in pieces, under load, to see whether the limits hold.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "",
            "Exit codes: 0 every promise held, 1 one was broken, 3 one could not be judged, 2 the call or the file is wrong."
        },
        subcommands = {
            ListCommand.class,
            RunCommand.class,
            ReportCommand.class,
            JudgeCommand.class,
            ValidateCommand.class
        })
public final class DrillMain {
    /** For a wrong call, file or target. */
    static final int EXIT_WRONG = 2;

    /** For what went wrong with the drill itself: nothing is known then. */
    static final int EXIT_UNKNOWN = 3;

    private DrillMain() {}

    public static void main(String[] args) {
        System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", "off");
        System.setProperty("java.util.logging.manager", "org.jboss.logmanager.LogManager");
        int code =
                commandLine().setOut(utf8(System.out)).setErr(utf8(System.err)).execute(args);
        Interruption.mainIsDone();
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
                    boolean wrong = e instanceof BadDrillFile
                            || e instanceof TargetFailure
                            || e instanceof IllegalArgumentException
                            || e instanceof UnreadableHistory
                            || e instanceof NoSuchFileException;
                    command.getErr().println(wrong ? message(e) : "Unexpected: " + e);
                    return wrong ? EXIT_WRONG : EXIT_UNKNOWN;
                });
    }

    private static String message(Exception e) {
        return e instanceof NoSuchFileException ? "There is no file " + e.getMessage() : String.valueOf(e.getMessage());
    }
}
