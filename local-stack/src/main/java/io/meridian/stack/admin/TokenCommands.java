package io.meridian.stack.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.stack.process.Folders;
import io.meridian.stack.process.StartFailure;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Commands for the tokens of admins. */
@Command(
        name = "token",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = "Tokens of the admin API; limiter-token makes those of the limiters' callers.")
public final class TokenCommands {
    private TokenCommands() {}

    public static CommandLine all() {
        return new CommandLine(new TokenCommands())
                .addSubcommand("list", new TokenList())
                .addSubcommand("create", new TokenCreate())
                .addSubcommand("delete", new TokenDelete())
                .addSubcommand(new HelpCommand());
    }

    @Command(name = "list", mixinStandardHelpOptions = true, description = "Lists tokens, without their secrets.")
    private static final class TokenList extends AdminCommand {
        @Option(
                names = "--limit",
                paramLabel = "N",
                defaultValue = "100",
                description = "How many. Default: ${DEFAULT-VALUE}.")
        private int limit;

        @Override
        int run() throws IOException {
            show(
                    items("/tokens", Map.of(), limit, 1_000),
                    columns(
                            "ID",
                            "id",
                            "NAME",
                            "name",
                            "ROLE",
                            "role",
                            "CREATED",
                            "created_at",
                            "BY",
                            "created_by",
                            "EXPIRES",
                            "expires_at"));
            return done();
        }
    }

    @Command(
            name = "create",
            mixinStandardHelpOptions = true,
            description = "Makes a token, and shows it once; with --output it goes to a file of yours alone.")
    private static final class TokenCreate extends AdminCommand {
        @Parameters(paramLabel = "NAME", description = "What the audit trail calls its bearer.")
        private String name = "";

        @Option(names = "--role", required = true, paramLabel = "ROLE", description = "viewer, editor or admin.")
        private String role = "";

        @Option(names = "--expires-at", paramLabel = "TIME", description = "RFC 3339 in UTC. Default: never.")
        private Optional<String> expiresAt = Optional.empty();

        @Option(
                names = {"-o", "--output"},
                paramLabel = "FILE",
                description = "A new file for the token, instead of showing it.")
        private Optional<Path> output = Optional.empty();

        @Option(names = "--dry-run", description = "Have it checked by the service, and make none.")
        private boolean dryRun;

        @Override
        int run() throws IOException {
            // Before the token is made: it cannot be shown again.
            if (output.isPresent() && !dryRun) {
                create(output.get());
            }
            ObjectNode draft =
                    JsonNodeFactory.instance.objectNode().put("name", name).put("role", role);
            expiresAt.ifPresent(time -> draft.put("expires_at", time));
            ObjectNode token;
            try {
                token = (ObjectNode) ask("POST", "/tokens", dryRun ? Map.of("dry_run", "true") : Map.of(), draft);
            } catch (RuntimeException refused) {
                if (output.isPresent() && !dryRun) {
                    Files.deleteIfExists(output.get());
                }
                throw refused;
            }
            JsonNode secret = token.path("token");
            if (output.isPresent() && secret.isTextual()) {
                Files.writeString(output.get(), secret.asText() + "\n");
                token.remove("token");
                token.put("token_file", output.get().toString());
            }
            show(token);
            return done();
        }

        private static void create(Path file) throws IOException {
            try {
                Files.createFile(file, PosixFilePermissions.asFileAttribute(Folders.OWNER_ONLY));
            } catch (FileAlreadyExistsException there) {
                throw new StartFailure(file + " exists already, and is left as it is.", there);
            }
        }
    }

    @Command(name = "delete", mixinStandardHelpOptions = true, description = "Revokes tokens, at once.")
    private static final class TokenDelete extends AdminCommand {
        @Parameters(paramLabel = "ID", arity = "1..*", description = "As list shows them.")
        private List<String> ids = List.of();

        @Option(names = "--dry-run", description = "Have it checked by the service, and revoke none.")
        private boolean dryRun;

        @Override
        int run() throws IOException {
            var deleted = JsonNodeFactory.instance.arrayNode();
            for (String id : ids) {
                ask("DELETE", "/tokens/" + encoded(id), dryRun ? Map.of("dry_run", "true") : Map.of(), null);
                deleted.add(id);
                if (!json) {
                    out().println((dryRun ? "Would revoke token " : "Revoked token ") + id + ".");
                }
            }
            if (json) {
                out().println(JSON.createObjectNode().put("dry_run", dryRun).set("deleted", deleted));
            }
            return done();
        }
    }
}
