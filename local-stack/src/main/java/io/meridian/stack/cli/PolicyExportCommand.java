package io.meridian.stack.cli;

import io.meridian.stack.rules.Export;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Writes the rulebook. */
@Command(
        name = "export",
        mixinStandardHelpOptions = true,
        description = "Writes the whole rulebook as YAML; the same rulebook is always the same bytes.",
        exitCodeOnExecutionException = PolicyCommand.FAILED,
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:written", "2:it could not be"})
final class PolicyExportCommand implements Callable<Integer> {
    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "Write to a file, whole or not at all, instead of showing it.")
    private Optional<Path> output = Optional.empty();

    @Mixin
    private AdminOption admin = new AdminOption();

    @Override
    public Integer call() throws IOException {
        if (output.isPresent()) {
            Export.to(output.get(), admin.api());
            return 0;
        }
        // Shown when it is whole: a half of it in a pipe would pass for a rulebook.
        Path whole = Files.createTempFile("meridian-policy", ".yaml");
        try {
            Export.to(whole, admin.api());
            Files.copy(whole, System.out);
            System.out.flush();
        } finally {
            Files.deleteIfExists(whole);
        }
        return 0;
    }
}
