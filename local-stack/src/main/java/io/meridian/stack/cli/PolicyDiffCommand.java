package io.meridian.stack.cli;

import io.meridian.stack.rules.AdminApi;
import io.meridian.stack.rules.Differences;
import io.meridian.stack.rules.Review;
import io.meridian.stack.rules.Rulebook;
import io.meridian.stack.rules.RulebookFailure;
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

/** Shows what files would change. */
@Command(
        name = "diff",
        mixinStandardHelpOptions = true,
        description = {
            "Shows what apply would change: + is added, ~ changed field by field, - removed.",
            "What the service would warn of, or refuse, follows; that needs the token of an editor.",
            "Sections that no file has are left alone and not compared."
        },
        exitCodeOnExecutionException = PolicyCommand.FAILED,
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:no difference", "1:a difference", "2:it cannot be told"})
final class PolicyDiffCommand implements Callable<Integer> {
    @Parameters(paramLabel = "FILE", arity = "1..*", description = "The files, taken together.")
    private List<Path> files = List.of();

    @Option(names = "--prune", description = "As apply --prune: what only the rulebook has would go.")
    private boolean prune;

    @Option(
            names = "--allow-unknown",
            description = "Take policies that name tiers or regions which do not exist, and warn of them.")
    private boolean allowUnknown;

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
        if (update.calls() > 0) {
            rehearse(update, out);
        }
        out.flush();
        return differences.isEmpty() ? 0 : 1;
    }

    /** The difference is shown whatever the service says of it. */
    private static void rehearse(Update update, PrintWriter out) {
        try {
            Review.write(update.check(), out);
            if (update.calls() > 1) {
                out.println("Warnings are of the first " + update.changes(0) + " changes, the others rest on them.");
            }
        } catch (RulebookFailure refused) {
            out.println("The service would not take it: " + refused.getMessage());
        }
    }
}
