package io.meridian.stack.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.stack.process.StartFailure;
import io.meridian.stack.rules.AdminHttp.Answer;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Commands for the entries of the rules: the same verbs for policies, tiers, clients, overrides and both lists. */
public final class EntryCommands {
    private EntryCommands() {}

    /** Kinds of entries, with the command and the path of each. */
    enum Kind {
        POLICY("policy", "policies", "Policies: one by one, or as YAML files for review and git.", "ID", "id"),
        TIER("tier", "tiers", "Tiers of clients.", "NAME", "name"),
        CLIENT("client", "client-tiers", "Clients: their tier, their live usage, their reset.", "TYPE:VALUE"),
        OVERRIDE("override", "overrides", "Limits of single clients.", "POLICY:TYPE:VALUE"),
        ALLOW("allow", "allow-list", "Clients without limits.", "TYPE:VALUE"),
        DENY("deny", "deny-list", "Clients that are refused.", "TYPE:VALUE");

        private final String command;
        private final String path;
        private final String description;
        private final String idForm;
        /** Field that is the id; empty if the id has the parts of several fields. */
        private final String idField;

        Kind(String command, String path, String description, String idForm) {
            this(command, path, description, idForm, "");
        }

        Kind(String command, String path, String description, String idForm, String idField) {
            this.command = command;
            this.path = path;
            this.description = description;
            this.idForm = idForm;
            this.idField = idField;
        }

        /** A policy may be as long as hundreds of lines of a list. */
        private int perPage() {
            return this == POLICY ? 100 : 1_000;
        }

        private Map<String, String> columns() {
            return switch (this) {
                case POLICY ->
                    AdminCommand.columns(
                            "ID",
                            "id",
                            "LIMIT",
                            "limit",
                            "WINDOW",
                            "window",
                            "ALGORITHM",
                            "algorithm",
                            "KEY",
                            "key",
                            "SCOPE",
                            "scope",
                            "ACTION",
                            "action",
                            "ENABLED",
                            "enabled",
                            "VERSION",
                            "version");
                case TIER -> AdminCommand.columns("NAME", "name", "DEFAULT", "default", "DESCRIPTION", "description");
                case CLIENT ->
                    AdminCommand.columns("TYPE", "identifier_type", "IDENTIFIER", "identifier", "TIER", "tier");
                case OVERRIDE ->
                    AdminCommand.columns(
                            "POLICY",
                            "policy",
                            "TYPE",
                            "identifier_type",
                            "IDENTIFIER",
                            "identifier",
                            "LIMIT",
                            "limit",
                            "BURST",
                            "burst",
                            "EXPIRES",
                            "expires_at");
                case ALLOW, DENY ->
                    AdminCommand.columns(
                            "TYPE",
                            "identifier_type",
                            "IDENTIFIER",
                            "identifier",
                            "REASON",
                            "reason",
                            "EXPIRES",
                            "expires_at");
            };
        }

        /** The fields that an id stands for. */
        private ObjectNode fields(String id) {
            ObjectNode fields = JsonNodeFactory.instance.objectNode();
            if (!idField.isEmpty()) {
                return fields.put(idField, id);
            }
            String[] names = this == OVERRIDE
                    ? new String[] {"policy", "identifier_type", "identifier"}
                    : new String[] {"identifier_type", "identifier"};
            String[] parts = id.split(":", names.length);
            if (parts.length < names.length) {
                throw new StartFailure(
                        "The id of " + command + " must be like " + idForm + ", as user_id:42, got " + id);
            }
            for (int i = 0; i < names.length; i++) {
                fields.put(names[i], parts[i]);
            }
            return fields;
        }

        /** The path of an entry; refuses an id that lacks a part. */
        private String entry(String id) {
            ObjectNode unused = fields(id);
            return "/" + path + "/" + AdminCommand.encoded(id);
        }
    }

    /** The commands of every kind, by name. */
    public static Map<String, CommandLine> all() {
        Map<String, CommandLine> commands = new LinkedHashMap<>();
        for (Kind kind : Kind.values()) {
            CommandLine family = new CommandLine(new Family());
            family.getCommandSpec().name(kind.command).usageMessage().description(kind.description);
            family.addSubcommand("list", new ListEntries(kind))
                    .addSubcommand("get", new GetEntry(kind))
                    .addSubcommand("create", new CreateEntry(kind))
                    .addSubcommand("set", new SetEntry(kind))
                    .addSubcommand("delete", new DeleteEntry(kind));
            switch (kind) {
                case POLICY -> PolicyFiles.addTo(family);
                case CLIENT -> ClientCommands.addTo(family);
                case ALLOW, DENY -> family.addSubcommand("import", new ImportList(kind));
                case TIER, OVERRIDE -> {}
            }
            family.addSubcommand(new HelpCommand());
            commands.put(kind.command, family);
        }
        return commands;
    }

    @Command(mixinStandardHelpOptions = true, synopsisSubcommandLabel = "COMMAND")
    private static final class Family {}

    @Command(name = "list", mixinStandardHelpOptions = true, description = "Lists entries, in the order of their ids.")
    private static final class ListEntries extends AdminCommand {
        private final Kind kind;

        @Parameters(
                paramLabel = "FIELD=VALUE",
                description = "Only entries with these values, as scope=global, identifier_type=ip, tier=free.")
        private Map<String, String> filters = new LinkedHashMap<>();

        @Option(
                names = "--limit",
                paramLabel = "N",
                defaultValue = "100",
                description = "How many. Default: ${DEFAULT-VALUE}.")
        private int limit;

        ListEntries(Kind kind) {
            this.kind = kind;
        }

        @Override
        int run() throws IOException {
            show(items("/" + kind.path, filters, limit, kind.perPage()), kind.columns());
            return done();
        }
    }

    @Command(name = "get", mixinStandardHelpOptions = true, description = "Shows one entry with all its fields.")
    private static final class GetEntry extends AdminCommand {
        private final Kind kind;

        @Parameters(
                paramLabel = "ID",
                description = "As list shows it; of clients and lists TYPE:VALUE, as user_id:42.")
        private String id = "";

        GetEntry(Kind kind) {
            this.kind = kind;
        }

        @Override
        int run() throws IOException {
            show(ask("GET", kind.entry(id), Map.of(), null));
            return done();
        }
    }

    /** A command that changes an entry by fields on the command line or by a document. */
    private abstract static class ChangeEntry extends AdminCommand {
        private static final Pattern FIELD = Pattern.compile("[a-z_][A-Za-z0-9_.-]*=.*", Pattern.DOTALL);

        final Kind kind;

        @Parameters(
                paramLabel = "ID|FIELD=VALUE|-",
                description = {
                    "The id, and fields, as limit=100 key=user_id,tenant applies_to.endpoints=/api/* enabled=false; lists have"
                            + " commas, and null is none.",
                    "- reads a document of JSON or YAML from the standard input."
                })
        private List<String> arguments = List.of();

        @Option(
                names = {"-f", "--file"},
                paramLabel = "FILE",
                description = "A document, JSON or YAML; fields on the command line are put into it.")
        private Optional<String> file = Optional.empty();

        @Option(names = "--dry-run", description = "Have it checked by the service, and change nothing.")
        private boolean dryRun;

        @Option(
                names = "--allow-unknown",
                description = "Take policies that name tiers or regions which do not exist, and warn of them.")
        private boolean allowUnknown;

        ChangeEntry(Kind kind) {
            this.kind = kind;
        }

        /** The id, empty where none is given. */
        String id() {
            List<String> ids = arguments.stream()
                    .filter(each -> !each.equals("-") && !FIELD.matcher(each).matches())
                    .toList();
            if (ids.size() > 1) {
                throw new StartFailure(
                        "There must be one id; got " + String.join(" and ", ids) + ". Fields are FIELD=VALUE.");
            }
            return ids.isEmpty() ? "" : ids.get(0);
        }

        /** The document of a file or a pipe, empty where none is given. */
        Optional<ObjectNode> given() throws IOException {
            Optional<String> source = arguments.contains("-") ? Optional.of("-") : file;
            return source.isPresent() ? Optional.of((ObjectNode) document(source.get())) : Optional.empty();
        }

        void putFields(ObjectNode document) {
            arguments.stream().filter(each -> FIELD.matcher(each).matches()).forEach(each -> {
                int equals = each.indexOf('=');
                FieldValue.put(document, each.substring(0, equals), each.substring(equals + 1));
            });
        }

        Answer change(String method, String path, JsonNode body, Map<String, String> headers) throws IOException {
            Map<String, String> query = new LinkedHashMap<>();
            if (dryRun) {
                query.put("dry_run", "true");
            }
            if (allowUnknown) {
                query.put("allow_unknown", "true");
            }
            Map<String, String> all = new LinkedHashMap<>(headers);
            all.put("Content-Type", "application/json");
            return send(method, path, query, BodyPublishers.ofString(body.toString(), StandardCharsets.UTF_8), all);
        }

        int shown(Answer answer) throws IOException {
            JsonNode stored = good(answer);
            show(stored);
            if (!json) {
                stored.path("warnings")
                        .forEach(each -> spec.commandLine().getErr().println("Warning: " + text(each)));
                if (dryRun) {
                    spec.commandLine().getErr().println("Nothing was changed.");
                }
            }
            return done();
        }
    }

    @Command(
            name = "create",
            mixinStandardHelpOptions = true,
            description = "Creates an entry; one that exists is refused.")
    private static final class CreateEntry extends ChangeEntry {
        CreateEntry(Kind kind) {
            super(kind);
        }

        @Override
        int run() throws IOException {
            ObjectNode entry = given().orElseGet(JsonNodeFactory.instance::objectNode);
            if (!id().isEmpty()) {
                entry.setAll(kind.fields(id()));
            }
            putFields(entry);
            return shown(change("POST", "/" + kind.path, entry, Map.of()));
        }
    }

    @Command(
            name = "set",
            mixinStandardHelpOptions = true,
            description = {
                "Changes fields of an entry, or replaces it by a document.",
                "Of a client, an override or a list, an entry that does not exist is created; so is any by a document."
            })
    private static final class SetEntry extends ChangeEntry {
        @Option(
                names = "--if-version",
                paramLabel = "N",
                description = "Only if this is still its version; else it is refused.")
        private Optional<Long> version = Optional.empty();

        SetEntry(Kind kind) {
            super(kind);
        }

        @Override
        int run() throws IOException {
            if (id().isEmpty()) {
                throw new StartFailure(
                        "The id is missing: meridian " + kind.command + " set " + kind.idForm + " FIELD=VALUE …");
            }
            Map<String, String> headers = version.map(number -> Map.of("If-Match", "\"" + number + "\""))
                    .orElse(Map.of());
            Optional<ObjectNode> given = given();
            ObjectNode fields = given.orElseGet(JsonNodeFactory.instance::objectNode);
            putFields(fields);
            if (given.isPresent()) {
                fields.setAll(kind.fields(id()));
                return shown(change("PUT", kind.entry(id()), fields, headers));
            }
            if (fields.isEmpty() && kind.idField.isEmpty()) {
                return shown(change("PUT", kind.entry(id()), kind.fields(id()), headers));
            }
            Answer changed = change("PATCH", kind.entry(id()), fields, headers);
            if (changed.status() == 404 && kind.idField.isEmpty() && version.isEmpty()) {
                ObjectNode entry = kind.fields(id());
                entry.setAll(fields);
                changed = change("PUT", kind.entry(id()), entry, headers);
            }
            return shown(changed);
        }
    }

    @Command(
            name = "delete",
            mixinStandardHelpOptions = true,
            description = "Deletes entries, one after the other; a policy's overrides go with it.")
    private static final class DeleteEntry extends AdminCommand {
        private final Kind kind;

        @Parameters(paramLabel = "ID", arity = "1..*", description = "As list shows them.")
        private List<String> ids = List.of();

        @Option(names = "--dry-run", description = "Have it checked by the service, and change nothing.")
        private boolean dryRun;

        DeleteEntry(Kind kind) {
            this.kind = kind;
        }

        @Override
        int run() throws IOException {
            ArrayNode deleted = JsonNodeFactory.instance.arrayNode();
            for (String id : ids) {
                ask("DELETE", kind.entry(id), dryRun ? Map.of("dry_run", "true") : Map.of(), null);
                deleted.add(id);
                if (!json) {
                    out().println((dryRun ? "Would delete " : "Deleted ") + kind.command + " " + id + ".");
                }
            }
            if (json) {
                out().println(JSON.createObjectNode().put("dry_run", dryRun).set("deleted", deleted));
            }
            return done();
        }
    }

    @Command(
            name = "import",
            mixinStandardHelpOptions = true,
            description = {
                "Imports a list of any length: all lines, or none.",
                "CSV with the columns identifier_type, identifier, reason, expires_at; or a JSON object a line."
            })
    private static final class ImportList extends AdminCommand {
        private final Kind kind;

        @Parameters(paramLabel = "FILE", description = "The lines, or - for the standard input.")
        private String file = "";

        @Option(names = "--ndjson", description = "Lines are JSON; also for files called .ndjson or .jsonl.")
        private boolean ndjson;

        @Option(names = "--replace", description = "Also delete the entries that the import lacks.")
        private boolean replace;

        @Option(names = "--dry-run", description = "Count what would change, and change nothing.")
        private boolean dryRun;

        ImportList(Kind kind) {
            this.kind = kind;
        }

        @Override
        int run() throws IOException {
            Map<String, String> query = new LinkedHashMap<>(Map.of("list", kind.path));
            query.put("mode", replace ? "replace" : "merge");
            if (dryRun) {
                query.put("dry_run", "true");
            }
            boolean lines = ndjson || file.endsWith(".ndjson") || file.endsWith(".jsonl");
            String type = lines ? "application/x-ndjson" : "text/csv";
            try (InputStream in = input(file)) {
                Answer answer = send(
                        "POST",
                        "/imports",
                        query,
                        BodyPublishers.ofInputStream(() -> in),
                        Map.of("Content-Type", type));
                describe(good(answer));
            }
            return done();
        }
    }
}
