package io.meridian.stack.cli;

import io.meridian.stack.process.StartFailure;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command: starts, shows and stops a whole Meridian on this machine. */
@Command(
        name = "meridian",
        description = "A whole Meridian on this machine: PostgreSQL, Kafka, five regions, and the services.",
        mixinStandardHelpOptions = true,
        versionProvider = MeridianVersion.class,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {UpCommand.class, DownCommand.class, StatusCommand.class, LogsCommand.class, BenchCommand.class})
public final class Meridian {
    private Meridian() {}

    public static void main(String[] args) {
        // Kafka's client tells of every connection that fails; the command says it in its own words.
        System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", "off");
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        return new CommandLine(new Meridian())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler((e, command, parsed) -> {
                    boolean expected = e instanceof StartFailure || e instanceof IllegalArgumentException;
                    command.getErr().println(expected ? e.getMessage() : "Unexpected: " + e);
                    return 1;
                });
    }
}
