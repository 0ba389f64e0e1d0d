package io.meridian.stack.cli;

import io.meridian.stack.rulebook.Differences;
import io.meridian.stack.rulebook.Review;
import io.meridian.stack.rulebook.Rulebook;
import java.io.IOException;
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

    @Mixin
    private AdminOption admin = new AdminOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before the call
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        Rulebook rulebook = Rulebook.read(files);
        Differences differences = Differences.between(admin.api(), rulebook);
        Review.write(differences, prune, spec.commandLine().getOut());
        spec.commandLine().getOut().flush();
        return differences.isEmpty() ? 0 : 1;
    }
}
