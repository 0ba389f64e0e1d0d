package io.meridian.stack.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.meridian.model.access.TokenEntry;
import io.meridian.model.access.TokenHash;
import io.meridian.model.access.TokenList;
import io.meridian.model.access.TokenText;
import io.meridian.stack.process.Folders;
import io.meridian.stack.process.StartFailure;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Makes a token for a caller of limiters. The token is shown once; what is kept is its hash. */
@Command(
        name = "limiter-token",
        mixinStandardHelpOptions = true,
        description = {
            "Makes a token for a caller of limiters: shows it once, and its line for a file of tokens.",
            "Scopes: check (checks, batches, status, forward-auth, leases), operate (refunds, resets, reservations), load."
        })
final class LimiterTokenCommand implements Callable<Integer> {
    @Parameters(paramLabel = "NAME", description = "What metrics and the audit trail call the caller.")
    private String name = "";

    @Option(names = "--scopes", required = true, paramLabel = "SCOPE,…", description = "check, operate, load.")
    private String scopes = "";

    @Option(
            names = "--file",
            paramLabel = "FILE",
            description = "Add the line to this file, which limiters take while they run, instead of showing it.")
    private Optional<Path> file = Optional.empty();

    @Option(names = "--json", description = "Print JSON, for programs.")
    private boolean json;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        byte[] random = new byte[TokenText.RANDOM_BYTES];
        new SecureRandom().nextBytes(random);
        String token = TokenText.of(random);
        String line = new TokenEntry(name, TokenEntry.scopes(scopes), TokenHash.of(token)).line();
        PrintWriter out = spec.commandLine().getOut();
        if (file.isPresent()) {
            add(file.get(), line);
        }
        if (json) {
            out.println(JsonNodeFactory.instance
                    .objectNode()
                    .put("name", name)
                    .put("token", token)
                    .put("line", line));
        } else if (file.isPresent()) {
            out.println(token);
        } else {
            out.println("token: " + token);
            out.println("line:  " + line);
        }
        return 0;
    }

    /** Writes the file anew, whole or not at all, and only if it is a file of tokens then. */
    private static void add(Path file, String line) throws IOException {
        String before = Files.exists(file) ? Files.readString(file) : "";
        String after = before + (before.isEmpty() || before.endsWith("\n") ? "" : "\n") + line + "\n";
        try {
            TokenList unused = TokenList.parse(after);
        } catch (IllegalArgumentException wrong) {
            throw new StartFailure(file + " would not be a file of tokens: " + wrong.getMessage(), wrong);
        }
        Path next = file.resolveSibling(file.getFileName() + ".next");
        Files.deleteIfExists(next);
        Files.createFile(
                next,
                PosixFilePermissions.asFileAttribute(
                        Files.exists(file) ? Files.getPosixFilePermissions(file) : Folders.OWNER_ONLY));
        Files.writeString(next, after);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    }
}
