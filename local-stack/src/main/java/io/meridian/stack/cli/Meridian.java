package io.meridian.stack.cli;

import io.meridian.stack.cli.ChaosCommands.DrillCommand;
import io.meridian.stack.cli.ChaosCommands.SimulateCommand;
import io.meridian.stack.process.StartFailure;
import io.meridian.stack.rules.RuleFailure;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/** The command: starts, shows and stops a whole Meridian on this machine. */
@Command(
        name = "meridian",
        description = "A whole Meridian on this machine: PostgreSQL, Kafka, five regions, and the services.",
        mixinStandardHelpOptions = true,
        versionProvider = Meridian.MeridianVersion.class,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            UpCommand.class,
            DownCommand.class,
            StatusCommand.class,
            LogsCommand.class,
            PolicyCommand.class,
            LimiterTokenCommand.class,
            DrillCommand.class,
            SimulateCommand.class,
            BenchCommand.class
        })
public final class Meridian {
    private Meridian() {}

    public static void main(String[] args) {
        // Kafka's client logs every connection that fails; the command reports it itself.
        System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", "off");
        // Values are shown as they are, whatever the locale says of the terminal.
        System.exit(
                commandLine().setOut(utf8(System.out)).setErr(utf8(System.err)).execute(args));
    }

    private static PrintWriter utf8(PrintStream stream) {
        return new PrintWriter(stream, true, StandardCharsets.UTF_8);
    }

    static CommandLine commandLine() {
        return new CommandLine(new Meridian())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler((e, command, parsed) -> {
                    boolean expected = e instanceof StartFailure
                            || e instanceof RuleFailure
                            || e instanceof IllegalArgumentException;
                    command.getErr().println(expected ? e.getMessage() : "Unexpected: " + e);
                    return command.getCommandSpec().exitCodeOnExecutionException();
                });
    }

    /** Version of the command and commit of the checkout that it runs from; the script {@code ./meridian} looks the commit up. */
    static final class MeridianVersion implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = Meridian.class.getPackage().getImplementationVersion();
            String commit = System.getProperty("meridian.commit", "");
            return new String[] {
                "meridian " + Optional.ofNullable(version).orElse("(unpackaged)"),
                "commit " + (commit.isEmpty() ? "unknown" : commit)
            };
        }
    }
}
