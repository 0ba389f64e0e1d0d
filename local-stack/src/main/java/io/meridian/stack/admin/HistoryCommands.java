package io.meridian.stack.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.stack.admin.AdminFailure.ExitCode;
import io.meridian.stack.process.StartFailure;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Commands for what was recorded: audit trail, violations, usage, kept promises, and drafts tried on recorded usage. */
public final class HistoryCommands {
    private HistoryCommands() {}

    /** The commands by name. A listing is called with or without {@code list}. */
    public static Map<String, CommandLine> all() {
        Map<String, CommandLine> commands = new LinkedHashMap<>();
        commands.put("audit", listing(AuditList::new).addSubcommand("revert", new AuditRevert()));
        commands.put("violations", listing(Violations::new));
        commands.put("top-offenders", new CommandLine(new TopOffenders()));
        commands.put("hot-keys", new CommandLine(new HotKeys()));
        commands.put("usage", new CommandLine(new Usage()));
        commands.put("promises", listing(Promises::new));
        commands.put("what-if", new CommandLine(new WhatIfCommand()));
        return commands;
    }

    private static CommandLine listing(Supplier<AdminCommand> command) {
        return new CommandLine(command.get()).addSubcommand("list", command.get());
    }

    /** Options for a range of time. */
    static final class RangeOptions {
        @Option(
                names = "--from",
                paramLabel = "TIME",
                description =
                        "RFC 3339 in UTC, or so long ago: 15m, 2h, 1d. Default: the service's own, mostly an hour ago.")
        private Optional<String> from = Optional.empty();

        @Option(names = "--to", paramLabel = "TIME", description = "The same, exclusive. Default: now.")
        private Optional<String> to = Optional.empty();

        Map<String, String> query() {
            Map<String, String> query = new LinkedHashMap<>();
            from.ifPresent(text -> query.put("from", AdminCommand.time(text)));
            to.ifPresent(text -> query.put("to", AdminCommand.time(text)));
            return query;
        }
    }

    /** A listing of a range of time. */
    private abstract static class RangeCommand extends AdminCommand {
        @Mixin
        RangeOptions range = new RangeOptions();

        @Option(
                names = "--limit",
                paramLabel = "N",
                defaultValue = "50",
                description = "How many. Default: ${DEFAULT-VALUE}.")
        int limit;

        static void put(Map<String, String> query, String name, Optional<String> value) {
            value.ifPresent(text -> query.put(name, text));
        }
    }

    @Command(
            name = "audit",
            mixinStandardHelpOptions = true,
            description = "Shows who changed what, the latest first; --json has each entry before and after.")
    private static final class AuditList extends RangeCommand {
        @Option(names = "--actor", paramLabel = "NAME", description = "Changes by this caller.")
        private Optional<String> actor = Optional.empty();

        @Option(
                names = "--action",
                paramLabel = "ACTION",
                description = "As created, replaced, deleted, imported, reset, refused.")
        private Optional<String> action = Optional.empty();

        @Option(
                names = "--kind",
                paramLabel = "KIND",
                description = "As policy, tier, client-tier, override, allow, deny, token.")
        private Optional<String> kind = Optional.empty();

        @Option(names = "--id", paramLabel = "ID", description = "Changes of this entry.")
        private Optional<String> id = Optional.empty();

        @Override
        int run() throws IOException {
            Map<String, String> query = range.query();
            put(query, "actor", actor);
            put(query, "action", action);
            put(query, "kind", kind);
            put(query, "id", id);
            show(
                    items("/audit", query, limit, 500),
                    columns(
                            "ID",
                            "id",
                            "AT",
                            "at",
                            "ACTOR",
                            "actor",
                            "ACTION",
                            "action",
                            "KIND",
                            "kind",
                            "ENTRY",
                            "entry_id",
                            "REVISION",
                            "revision"));
            return done();
        }
    }

    @Command(
            name = "revert",
            mixinStandardHelpOptions = true,
            description =
                    "Applies the state before a change as a new change; later changes of the same entry refuse it.")
    private static final class AuditRevert extends AdminCommand {
        @Parameters(paramLabel = "ID", description = "The number of the change, as audit shows it.")
        private long id;

        @Option(names = "--dry-run", description = "Show what would be stored, and change nothing.")
        private boolean dryRun;

        @Override
        int run() throws IOException {
            Map<String, String> query = dryRun ? Map.of("dry_run", "true") : Map.of();
            JsonNode answer = ask("POST", "/audit/" + id + "/revert", query, null);
            describe(answer);
            if (!json) {
                out().println(dryRun ? "Nothing was changed." : "Reverted.");
            }
            return done();
        }
    }

    @Command(name = "violations", mixinStandardHelpOptions = true, description = "Shows denials, the latest first.")
    private static final class Violations extends RangeCommand {
        @Option(names = "--policy", paramLabel = "ID", description = "Of this policy.")
        private Optional<String> policy = Optional.empty();

        @Option(names = "--key", paramLabel = "KEY", description = "Of this key, as user_id=42.")
        private Optional<String> key = Optional.empty();

        @Option(names = "--region", paramLabel = "NAME", description = "In this region.")
        private Optional<String> region = Optional.empty();

        @Override
        int run() throws IOException {
            Map<String, String> query = range.query();
            put(query, "policy", policy);
            put(query, "key", key);
            put(query, "region", region);
            show(
                    items("/violations", query, limit, 1_000),
                    columns(
                            "AT",
                            "at",
                            "POLICY",
                            "policy",
                            "KEY",
                            "key",
                            "REGION",
                            "region",
                            "COUNT",
                            "count",
                            "LIMIT",
                            "limit",
                            "USED",
                            "used",
                            "ENDPOINT",
                            "endpoint",
                            "METHOD",
                            "method",
                            "SHADOW",
                            "shadow"));
            return done();
        }
    }

    /** Keys by what was recorded of them, on one page. */
    private abstract static class TopCommand extends RangeCommand {
        @Option(names = "--policy", paramLabel = "ID", description = "Of this policy.")
        private Optional<String> policy = Optional.empty();

        @Option(names = "--region", paramLabel = "NAME", description = "In this region.")
        private Optional<String> region = Optional.empty();

        Map<String, String> query() {
            Map<String, String> query = range.query();
            put(query, "policy", policy);
            put(query, "region", region);
            return query;
        }
    }

    @Command(
            name = "top-offenders",
            mixinStandardHelpOptions = true,
            description = "Shows the keys with the most denials.")
    private static final class TopOffenders extends TopCommand {
        @Override
        int run() throws IOException {
            show(
                    items("/top-offenders", query(), limit, 1_000),
                    columns(
                            "POLICY", "policy", "KEY", "key", "DENIED", "denied", "SHADOW", "shadow", "LAST",
                            "last_at"));
            return done();
        }
    }

    @Command(
            name = "hot-keys",
            mixinStandardHelpOptions = true,
            description = "Shows the keys with the most consumption.")
    private static final class HotKeys extends TopCommand {
        @Override
        int run() throws IOException {
            show(
                    items("/hot-keys", query(), limit, 1_000),
                    columns("POLICY", "policy", "KEY", "key", "CONSUMED", "consumed"));
            return done();
        }
    }

    @Command(
            name = "usage",
            mixinStandardHelpOptions = true,
            description = "Shows the consumption of a policy over time.")
    private static final class Usage extends AdminCommand {
        @Parameters(paramLabel = "POLICY", description = "The id of a policy that there is or was.")
        private String policy = "";

        @Mixin
        private RangeOptions range = new RangeOptions();

        @Option(names = "--key", paramLabel = "KEY", description = "Of this key, as user_id=42.")
        private Optional<String> key = Optional.empty();

        @Option(names = "--region", paramLabel = "NAME", description = "In this region.")
        private Optional<String> region = Optional.empty();

        @Override
        int run() throws IOException {
            Map<String, String> query = range.query();
            RangeCommand.put(query, "key", key);
            RangeCommand.put(query, "region", region);
            JsonNode usage = ask("GET", "/policies/" + encoded(policy) + "/usage", query, null);
            if (json) {
                out().println(usage);
                return done();
            }
            out().println(text(usage.path("consumed")) + " consumed from " + text(usage.path("from")) + " to "
                    + text(usage.path("to")) + ", in steps of " + text(usage.path("step")) + ".");
            Set<String> regions = new LinkedHashSet<>();
            usage.path("regions").fieldNames().forEachRemaining(regions::add);
            List<String> header = new ArrayList<>(List.of("AT", "CONSUMED"));
            header.addAll(regions);
            List<List<String>> rows = new ArrayList<>();
            usage.path("points").forEach(point -> {
                List<String> row = new ArrayList<>(List.of(text(point.path("at")), text(point.path("consumed"))));
                regions.forEach(name -> row.add(text(point.path("regions").path(name))));
                rows.add(row);
            });
            out().print(TextTable.of(header, rows));
            return done();
        }
    }

    @Command(
            name = "promises",
            mixinStandardHelpOptions = true,
            description =
                    "Shows for each ended window of a limit what was admitted, the bound that was promised, and whether it was kept.",
            exitCodeListHeading = "Exit codes:%n",
            exitCodeList = {"0:every promise shown was kept", "1:one was broken", "2 to 5:as of every command"})
    private static final class Promises extends RangeCommand {
        @Option(names = "--policy", paramLabel = "ID", description = "Of this policy.")
        private Optional<String> policy = Optional.empty();

        @Option(names = "--broken", description = "Only those that were not kept.")
        private boolean broken;

        @Override
        int run() throws IOException {
            Map<String, String> query = range.query();
            put(query, "policy", policy);
            if (broken) {
                query.put("kept", "false");
            }
            ObjectNode answer = items("/promises", query, limit, 1_000);
            boolean isKept = true;
            for (JsonNode item : answer.path("items")) {
                isKept &= !isBroken(item.path("kept"));
            }
            show(
                    answer,
                    columns(
                            "POLICY",
                            "policy",
                            "WINDOW",
                            "window_start",
                            "END",
                            "window_end",
                            "MODE",
                            "mode",
                            "ADMITTED",
                            "admitted",
                            "LIMIT",
                            "limit",
                            "BOUND",
                            "bound",
                            "KEPT",
                            "kept",
                            "OVER",
                            "over",
                            "UTILISATION",
                            "utilisation"));
            if (!json
                    && answer.path("totals").isArray()
                    && !answer.path("totals").isEmpty()) {
                describe(JSON.createObjectNode().set("totals", answer.path("totals")));
            }
            return isKept ? ExitCode.DONE : ExitCode.NEGATIVE;
        }

        private static boolean isBroken(JsonNode kept) {
            return kept.isBoolean() && !kept.booleanValue();
        }
    }

    @Command(
            name = "what-if",
            mixinStandardHelpOptions = true,
            description = {
                "Tries a draft on recorded usage: how many requests it would have denied, and of whom. Changes nothing.",
                "As: what-if api-default limit=500; or what-if - with a policy from a pipe."
            })
    private static final class WhatIfCommand extends AdminCommand {
        @Parameters(
                paramLabel = "POLICY|-|FIELD=VALUE",
                arity = "0..*",
                description =
                        "The stored policy to begin with, or - for one from the standard input, and fields to change in it.")
        private List<String> arguments = List.of();

        @Option(
                names = {"-f", "--file"},
                paramLabel = "FILE",
                description = "The draft as a document, JSON or YAML.")
        private Optional<String> file = Optional.empty();

        @Option(names = "--basis", paramLabel = "POLICY", description = "The policy whose record is replayed.")
        private Optional<String> basis = Optional.empty();

        @Mixin
        private RangeOptions range = new RangeOptions();

        @Override
        int run() throws IOException {
            List<String> names =
                    arguments.stream().filter(each -> each.indexOf('=') < 0).toList();
            if (names.size() + (file.isPresent() ? 1 : 0) != 1) {
                throw new StartFailure("There must be one draft: the id of a policy, - or --file FILE.");
            }
            String name = file.orElseGet(() -> names.get(0));
            ObjectNode draft = file.isPresent() || name.equals("-")
                    ? (ObjectNode) document(name)
                    : (ObjectNode) ask("GET", "/policies/" + encoded(name), Map.of(), null);
            draft.remove(List.of("version", "created_at", "updated_at"));
            arguments.stream().filter(each -> each.indexOf('=') > 0).forEach(each -> {
                int equals = each.indexOf('=');
                FieldValue.put(draft, each.substring(0, equals), each.substring(equals + 1));
            });
            ObjectNode question = JsonNodeFactory.instance.objectNode();
            question.set("policy", draft);
            range.query().forEach(question::put);
            basis.ifPresent(id -> question.put("basis", id));
            describe(ask("POST", "/what-if", Map.of(), question));
            return done();
        }
    }
}
