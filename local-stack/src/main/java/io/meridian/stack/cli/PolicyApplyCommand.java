package io.meridian.stack.cli;

import io.meridian.stack.rules.AdminApi;
import io.meridian.stack.rules.Differences;
import io.meridian.stack.rules.Review;
import io.meridian.stack.rules.Rulebook;
import io.meridian.stack.rules.Update;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Brings files into effect. */
@Command(
        name = "apply",
        mixinStandardHelpOptions = true,
        description = {
            "Shows the difference, then makes it: all of it, or none.",
            "Adds and changes; what only the rulebook has stays, unless --prune. Sections that no file has are left"
                    + " alone."
        },
        exitCodeOnExecutionException = PolicyCommand.FAILED,
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:the rulebook says what the files say", "2:it could not be changed"})
final class PolicyApplyCommand implements Callable<Integer> {
    @Parameters(paramLabel = "FILE", arity = "1..*", description = "The files, taken together.")
    private List<Path> files = List.of();

    @Option(
            names = "--prune",
            description = "Also remove what only the rulebook has, in the sections that the files have.")
    private boolean prune;

    @Option(
            names = "--allow-unknown",
            description = "Take policies that name tiers or regions which do not exist, and warn of them.")
    private boolean allowUnknown;

    @Option(names = "--dry-run", description = "Have it checked by the service, and change nothing.")
    private boolean dryRun;

    @Mixin
    private AdminOption admin = new AdminOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before the call
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        Rulebook rulebook = Rulebook.read(files);
        AdminApi api = admin.api();
        Differences differences = Differences.between(api, rulebook);
        PrintWriter out = spec.commandLine().getOut();
        Review.write(differences, prune, out);
        Update update = new Update(api, differences, prune, allowUnknown);
        if (update.calls() == 0) {
            out.println("Nothing to change.");
        } else if (dryRun) {
            check(update, out);
        } else {
            send(update, out);
        }
        out.flush();
        return 0;
    }

    private static void check(Update update, PrintWriter out) {
        Review.write(update.check(), out);
        String rest = update.calls() == 1
                ? ""
                : " Only the first " + update.changes(0) + " were checked, the others rest on them.";
        out.println("The service would take it. Nothing was changed." + rest);
    }

    private static void send(Update update, PrintWriter out) {
        if (update.calls() > 1) {
            out.println("These are more than one call takes: " + update.calls()
                    + " calls follow, each of which is made whole or not at all.");
        }
        for (int call = 0; call < update.calls(); call++) {
            Update.Made made = update.send(call);
            Review.write(made.warnings(), out);
            out.println("Changed " + update.changes(call) + ". The rulebook is at revision " + made.revision() + ".");
            out.flush();
        }
    }
}
