package io.meridian.stack.admin;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Commands for changes that a second person approves. */
@Command(
        name = "proposal",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = "Sets of changes that another editor approves before they are applied.")
public final class ProposalCommands {
    private ProposalCommands() {}

    public static CommandLine all() {
        CommandLine family = new CommandLine(new ProposalCommands())
                .addSubcommand("list", new ProposalList())
                .addSubcommand("get", new ProposalGet())
                .addSubcommand("create", new ProposalCreate());
        add(family, "approve", "Approves a proposal of somebody else.");
        add(family, "reject", "Rejects a proposal of somebody else.");
        add(family, "withdraw", "Withdraws a proposal of one's own.");
        add(family, "apply", "Applies an approved proposal: all of its changes, or none.");
        return family.addSubcommand(new HelpCommand());
    }

    private static void add(CommandLine family, String verb, String description) {
        CommandLine command = new CommandLine(new ProposalStep(verb));
        command.getCommandSpec().usageMessage().description(description);
        family.addSubcommand(verb, command);
    }

    @Command(name = "list", mixinStandardHelpOptions = true, description = "Lists proposals, the latest first.")
    private static final class ProposalList extends AdminCommand {
        @Option(
                names = "--state",
                paramLabel = "STATE",
                description = "open, approved, applied, rejected, withdrawn or expired.")
        private Optional<String> state = Optional.empty();

        @Option(names = "--author", paramLabel = "NAME", description = "Of this editor.")
        private Optional<String> author = Optional.empty();

        @Option(
                names = "--limit",
                paramLabel = "N",
                defaultValue = "50",
                description = "How many. Default: ${DEFAULT-VALUE}.")
        private int limit;

        @Override
        int run() throws IOException {
            Map<String, String> query = new LinkedHashMap<>();
            state.ifPresent(value -> query.put("state", value));
            author.ifPresent(value -> query.put("author", value));
            show(
                    items("/proposals", query, limit, 500),
                    columns(
                            "ID",
                            "id",
                            "STATE",
                            "state",
                            "AUTHOR",
                            "author",
                            "CREATED",
                            "created_at",
                            "CHANGES",
                            "change_count",
                            "APPROVED BY",
                            "approved_by",
                            "EXPIRES",
                            "expires_at",
                            "REASON",
                            "reason"));
            return done();
        }
    }

    @Command(
            name = "get",
            mixinStandardHelpOptions = true,
            description = "Shows a proposal with its changes, and entries that changed since.")
    private static final class ProposalGet extends AdminCommand {
        @Parameters(paramLabel = "ID", description = "As list shows it.")
        private long id;

        @Override
        int run() throws IOException {
            show(ask("GET", "/proposals/" + id, Map.of(), null));
            return done();
        }
    }

    @Command(
            name = "create",
            mixinStandardHelpOptions = true,
            description =
                    "Proposes the changes of a document, as POST /changes takes them: {\"changes\": [{op, kind, entry}]}.")
    private static final class ProposalCreate extends AdminCommand {
        @Parameters(paramLabel = "FILE", description = "The document, JSON or YAML, or - for the standard input.")
        private String file = "";

        @Option(names = "--reason", paramLabel = "TEXT", description = "Why; unless the document says so.")
        private Optional<String> reason = Optional.empty();

        @Option(names = "--dry-run", description = "Have it checked by the service, and propose nothing.")
        private boolean dryRun;

        @Override
        int run() throws IOException {
            ObjectNode proposal = (ObjectNode) document(file);
            reason.ifPresent(text -> proposal.put("reason", text));
            show(ask("POST", "/proposals", dryRun ? Map.of("dry_run", "true") : Map.of(), proposal));
            return done();
        }
    }

    /** A step in the life of a proposal: a call without a body. */
    @Command(mixinStandardHelpOptions = true)
    private static final class ProposalStep extends AdminCommand {
        private final String verb;

        @Parameters(paramLabel = "ID", description = "As list shows it.")
        private long id;

        @Option(names = "--dry-run", description = "Have it checked by the service, and change nothing.")
        private boolean dryRun;

        ProposalStep(String verb) {
            this.verb = verb;
        }

        @Override
        int run() throws IOException {
            show(ask("POST", "/proposals/" + id + "/" + verb, dryRun ? Map.of("dry_run", "true") : Map.of(), null));
            return done();
        }
    }
}
