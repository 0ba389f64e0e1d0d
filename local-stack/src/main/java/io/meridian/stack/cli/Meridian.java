package io.meridian.stack.cli;

import io.meridian.stack.admin.AdminFailure.ExitCode;
import io.meridian.stack.admin.ClientCommands;
import io.meridian.stack.admin.EntryCommands;
import io.meridian.stack.admin.HistoryCommands;
import io.meridian.stack.admin.ProposalCommands;
import io.meridian.stack.admin.StateOption;
import io.meridian.stack.admin.TokenCommands;
import io.meridian.stack.cli.ChaosCommands.DrillCommand;
import io.meridian.stack.cli.ChaosCommands.SimulateCommand;
import io.meridian.stack.process.StartFailure;
import io.meridian.stack.rules.RuleFailure;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command: starts, shows and stops a whole Meridian on this machine. */
@Command(
        name = "meridian",
        description = "Runs a whole Meridian on this machine, and administers any deployment by its admin API.",
        mixinStandardHelpOptions = true,
        versionProvider = Meridian.MeridianVersion.class,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            UpCommand.class,
            DownCommand.class,
            StatusCommand.class,
            LogsCommand.class,
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
        CommandLine command = commandLine(StateOption.isCheckout() ? new Meridian() : new MeridianJar());
        System.exit(command.setOut(utf8(System.out)).setErr(utf8(System.err)).execute(args));
    }

    /** Runs the command in this process and returns its exit code. */
    public static int run(PrintWriter out, PrintWriter err, String... args) {
        return commandLine().setOut(out).setErr(err).execute(args);
    }

    private static PrintWriter utf8(PrintStream stream) {
        return new PrintWriter(stream, true, StandardCharsets.UTF_8);
    }

    static CommandLine commandLine() {
        return commandLine(new Meridian());
    }

    private static CommandLine commandLine(Object command) {
        CommandLine root = new CommandLine(command);
        EntryCommands.all().forEach(root::addSubcommand);
        root.addSubcommand("token", TokenCommands.all());
        root.addSubcommand("proposal", ProposalCommands.all());
        ClientCommands.all().forEach(root::addSubcommand);
        HistoryCommands.all().forEach(root::addSubcommand);
        return root.addSubcommand(new CompletionCommand())
                .addSubcommand(new HelpCommand())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler((e, failed, parsed) -> failed(e, failed));
    }

    private static int failed(Exception failure, CommandLine command) {
        command.getErr().println(message(failure));
        return command.getCommandSpec().exitCodeOnExecutionException();
    }

    /** Text for the user, without a name of Java. */
    private static String message(Exception failure) {
        String message = String.valueOf(failure.getMessage());
        if (failure instanceof StartFailure
                || failure instanceof RuleFailure
                || failure instanceof IllegalArgumentException) {
            return message;
        } else if (failure instanceof NoSuchFileException) {
            return "There is no file " + message;
        } else if (failure instanceof AccessDeniedException) {
            return message + " may not be read or written by this user.";
        } else if (failure instanceof IOException) {
            return "A file or connection failed: " + message;
        }
        return "The command failed unexpectedly, which is a defect of it: " + message;
    }

    /** Prints a script that completes commands and options in a shell. */
    @Command(
            name = "completion",
            mixinStandardHelpOptions = true,
            description = {
                "Prints the script that completes commands and options in a shell.",
                "As: source <(meridian completion bash)"
            })
    static final class CompletionCommand implements Callable<Integer> {
        /** Shells with a script of their own. */
        enum Shell {
            BASH,
            ZSH;

            @Override
            public String toString() {
                return name().toLowerCase(Locale.ROOT);
            }
        }

        @Parameters(paramLabel = "SHELL", description = "${COMPLETION-CANDIDATES}")
        private Shell shell = Shell.BASH;

        @Spec
        @SuppressWarnings("NullAway.Init") // set by picocli before the call
        private CommandSpec spec;

        @Override
        public Integer call() {
            if (shell == Shell.ZSH) {
                // Where zsh finds the script as a file of its own.
                spec.commandLine().getOut().println("#compdef meridian");
            }
            spec.commandLine()
                    .getOut()
                    .println(AutoComplete.bash("meridian", spec.root().commandLine()));
            return ExitCode.DONE;
        }
    }

    /** The command as meridian.jar, which needs nothing of the repository: the commands of the admin API alone. */
    @Command(
            name = "meridian",
            description = "Administers a deployment of Meridian by its admin API.",
            mixinStandardHelpOptions = true,
            versionProvider = MeridianVersion.class,
            synopsisSubcommandLabel = "COMMAND",
            footer = {"", "./meridian of a checkout has these commands too, and up, down, drill, simulate and bench."},
            subcommands = LimiterTokenCommand.class)
    static final class MeridianJar {}

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
