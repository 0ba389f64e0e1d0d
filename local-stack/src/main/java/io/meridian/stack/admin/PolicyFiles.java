package io.meridian.stack.admin;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.stack.rules.AdminApi;
import io.meridian.stack.rules.DiffText;
import io.meridian.stack.rules.RuleDiff;
import io.meridian.stack.rules.RuleExport;
import io.meridian.stack.rules.RuleFailure;
import io.meridian.stack.rules.RuleFile;
import io.meridian.stack.rules.RuleUpdate;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Commands for the rules as files, for review and for keeping in git. */
final class PolicyFiles {
    /** An error, where 1 says that there is a difference. */
    static final int FAILED = 2;

    private PolicyFiles() {}

    static void addTo(CommandLine family) {
        family.addSubcommand("export", new PolicyExportCommand())
                .addSubcommand("diff", new PolicyDiffCommand())
                .addSubcommand("apply", new PolicyApplyCommand());
    }

    /** Writes the rulebook. */
    @Command(
            name = "export",
            mixinStandardHelpOptions = true,
            description = "Writes the whole rulebook as YAML; the same rulebook is always the same bytes.",
            exitCodeOnExecutionException = PolicyFiles.FAILED,
            exitCodeListHeading = "Exit codes:%n",
            exitCodeList = {"0:written", "2:it could not be"})
    static final class PolicyExportCommand implements Callable<Integer> {
        @Option(
                names = {"-o", "--output"},
                paramLabel = "FILE",
                description = "Write to a file, whole or not at all, instead of showing it.")
        private Optional<Path> output = Optional.empty();

        @Option(names = "--json", description = "Print JSON, for programs.")
        private boolean json;

        @Mixin
        private AdminOption admin = new AdminOption();

        @Override
        public Integer call() throws IOException {
            if (output.isPresent()) {
                RuleExport.to(output.get(), admin.api());
                return 0;
            }
            // Shown when it is whole: a half of it in a pipe would pass for a rulebook.
            Path whole = Files.createTempFile("meridian-policy", ".yaml");
            try {
                RuleExport.to(whole, admin.api());
                if (json) {
                    System.out.println(AdminCommand.yaml(Files.readString(whole)));
                } else {
                    Files.copy(whole, System.out);
                }
                System.out.flush();
            } finally {
                Files.deleteIfExists(whole);
            }
            return 0;
        }
    }

    /** Shows what files would change. */
    @Command(
            name = "diff",
            mixinStandardHelpOptions = true,
            description = {
                "Shows what apply would change: + is added, ~ changed field by field, - removed.",
                "What the service would warn of, or refuse, follows; that needs the token of an editor.",
                "Sections that no file has are left alone and not compared."
            },
            exitCodeOnExecutionException = PolicyFiles.FAILED,
            exitCodeListHeading = "Exit codes:%n",
            exitCodeList = {"0:no difference", "1:a difference", "2:it cannot be told"})
    static final class PolicyDiffCommand implements Callable<Integer> {
        @Parameters(paramLabel = "FILE", arity = "1..*", description = "The files, taken together.")
        private List<Path> files = List.of();

        @Option(names = "--prune", description = "As apply --prune: what only the rulebook has would go.")
        private boolean prune;

        @Option(
                names = "--allow-unknown",
                description = "Take policies that name tiers or regions which do not exist, and warn of them.")
        private boolean allowUnknown;

        @Option(names = "--json", description = "Print JSON, for programs.")
        private boolean json;

        @Mixin
        private AdminOption admin = new AdminOption();

        @Spec
        @SuppressWarnings("NullAway.Init") // set by picocli before the call
        private CommandSpec spec;

        @Override
        public Integer call() throws IOException {
            RuleFile rulebook = RuleFile.read(files);
            AdminApi api = admin.api();
            RuleDiff differences = RuleDiff.between(api, rulebook);
            PrintWriter out = spec.commandLine().getOut();
            if (json) {
                out.println(differences.toJson());
                return differences.isEmpty() ? 0 : 1;
            }
            DiffText.write(differences, prune, out);
            RuleUpdate update = new RuleUpdate(api, differences, prune, allowUnknown);
            if (update.calls() > 0) {
                rehearse(update, out);
            }
            out.flush();
            return differences.isEmpty() ? 0 : 1;
        }

        /** The difference is shown whatever the service says of it. */
        private static void rehearse(RuleUpdate update, PrintWriter out) {
            try {
                DiffText.write(update.check(), out);
                if (update.calls() > 1) {
                    out.println(
                            "Warnings are of the first " + update.changes(0) + " changes, the others rest on them.");
                }
            } catch (RuleFailure refused) {
                out.println("The service would not take it: " + refused.getMessage());
            }
        }
    }

    /** Brings files into effect. */
    @Command(
            name = "apply",
            mixinStandardHelpOptions = true,
            description = {
                "Shows the difference, then makes it: all of it, or none.",
                "Adds and changes; what only the rulebook has stays, unless --prune. Sections that no file has are left"
                        + " alone."
            },
            exitCodeOnExecutionException = PolicyFiles.FAILED,
            exitCodeListHeading = "Exit codes:%n",
            exitCodeList = {"0:the rulebook says what the files say", "2:it could not be changed"})
    static final class PolicyApplyCommand implements Callable<Integer> {
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

        @Option(names = "--json", description = "Print JSON, for programs.")
        private boolean json;

        @Mixin
        private AdminOption admin = new AdminOption();

        @Spec
        @SuppressWarnings("NullAway.Init") // set by picocli before the call
        private CommandSpec spec;

        @Override
        public Integer call() throws IOException {
            RuleFile rulebook = RuleFile.read(files);
            AdminApi api = admin.api();
            RuleDiff differences = RuleDiff.between(api, rulebook);
            PrintWriter out = spec.commandLine().getOut();
            RuleUpdate update = new RuleUpdate(api, differences, prune, allowUnknown);
            if (json) {
                out.println(applied(update, differences));
                return 0;
            }
            DiffText.write(differences, prune, out);
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

        private ObjectNode applied(RuleUpdate update, RuleDiff differences) {
            ObjectNode result = differences.toJson().put("dry_run", dryRun);
            ArrayNode warnings = result.putArray("warnings");
            if (dryRun && update.calls() > 0) {
                update.check().forEach(warnings::add);
            }
            for (int call = 0; !dryRun && call < update.calls(); call++) {
                RuleUpdate.Made made = update.send(call);
                made.warnings().forEach(warnings::add);
                result.put("revision", made.revision());
            }
            return result;
        }

        private static void check(RuleUpdate update, PrintWriter out) {
            DiffText.write(update.check(), out);
            String rest = update.calls() == 1
                    ? ""
                    : " Only the first " + update.changes(0) + " were checked, the others rest on them.";
            out.println("The service would take it. Nothing was changed." + rest);
        }

        private static void send(RuleUpdate update, PrintWriter out) {
            if (update.calls() > 1) {
                out.println("These are more than one call takes: " + update.calls()
                        + " calls follow, each of which is made whole or not at all.");
            }
            for (int call = 0; call < update.calls(); call++) {
                RuleUpdate.Made made = update.send(call);
                DiffText.write(made.warnings(), out);
                out.println("Changed " + update.changes(call) + ". The rules are at revision " + made.revision() + ".");
                out.flush();
            }
        }
    }
}
