package io.meridian.stack.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.stack.admin.AdminFailure.ExitCode;
import io.meridian.stack.process.StartFailure;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Commands that ask the regions: how they are, how a client stands in each, and how a check would be answered. */
public final class ClientCommands {
    private ClientCommands() {}

    /** The commands by name. */
    public static Map<String, CommandLine> all() {
        Map<String, CommandLine> commands = new LinkedHashMap<>();
        commands.put("regions", new CommandLine(new Regions()).addSubcommand("list", new Regions()));
        commands.put("explain", new CommandLine(new Explain()));
        commands.put("inspect", new CommandLine(new Inspect()));
        return commands;
    }

    static void addTo(CommandLine family) {
        family.addSubcommand("usage", new ClientUsage()).addSubcommand("reset", new ClientReset());
    }

    @Command(
            name = "regions",
            mixinStandardHelpOptions = true,
            description = "Shows each region: revision of its rules, delay of the loop to the leaders, live limiters.")
    private static final class Regions extends AdminCommand {
        @Override
        int run() throws IOException {
            ObjectNode answer = (ObjectNode) ask("GET", "/regions", Map.of(), null);
            show(
                    answer,
                    columns(
                            "REGION",
                            "region",
                            "LIVE",
                            "live",
                            "REVISION",
                            "revision",
                            "BEHIND",
                            "behind",
                            "LOOP p50 ms",
                            "loop_delay_ms.p50",
                            "p99",
                            "loop_delay_ms.p99",
                            "SILENT ms",
                            "centre_silent_ms",
                            "SKEW ms",
                            "clock_skew_ms",
                            "CONVERGE EXCESS",
                            "converge_bound.excess_units_max"));
            if (!json) {
                out().println("The rules are at revision " + text(answer.path("revision")) + ".");
            }
            return done();
        }
    }

    /** Options for a request, so that limits with selectors and larger keys are known. */
    static final class RequestOptions {
        @Option(names = "--endpoint", paramLabel = "PATH", description = "As /api/v1/users.")
        private Optional<String> endpoint = Optional.empty();

        @Option(names = "--method", paramLabel = "METHOD", description = "As GET.")
        private Optional<String> method = Optional.empty();

        Map<String, String> query() {
            Map<String, String> query = new LinkedHashMap<>();
            endpoint.ifPresent(path -> query.put("endpoint", path));
            method.ifPresent(name -> query.put("method", name));
            return query;
        }
    }

    /**
     * Client of a command: an identifier, and more attributes that its limits count by.
     *
     * @param others by name
     */
    record ClientName(String type, String identifier, Map<String, String> others) {
        /** Reads {@code user_id:42}, or a key as answers show it: {@code user_id=42}, {@code user_id=42,tenant=acme}. */
        static ClientName of(String text, List<String> more) {
            Map<String, String> attributes = new LinkedHashMap<>();
            int colon = text.indexOf(':');
            int equals = text.indexOf('=');
            if (colon > 0 && (equals < 0 || colon < equals)) {
                attributes.put(text.substring(0, colon), text.substring(colon + 1));
            } else {
                for (String part : text.split("[,&]", -1)) {
                    put(attributes, part);
                }
            }
            more.forEach(part -> put(attributes, part));
            Map.Entry<String, String> first = attributes.entrySet().iterator().next();
            Map<String, String> others = new LinkedHashMap<>(attributes);
            others.remove(first.getKey());
            return new ClientName(first.getKey(), first.getValue(), others);
        }

        private static void put(Map<String, String> attributes, String part) {
            int equals = part.indexOf('=');
            if (equals < 1) {
                throw new StartFailure("A client must be like user_id:42 or user_id=42, got " + part);
            }
            attributes.put(part.substring(0, equals), part.substring(equals + 1));
        }

        String path() {
            return "/clients/" + AdminCommand.encoded(type) + "/" + AdminCommand.encoded(identifier);
        }
    }

    /** A command about one client. */
    private abstract static class ClientCommand extends AdminCommand {
        @Parameters(
                index = "0",
                paramLabel = "CLIENT|KEY",
                description = "As user_id:42, or a key as answers show it: user_id=42,tenant=acme.")
        private String client = "";

        @Parameters(
                index = "1..*",
                paramLabel = "NAME=VALUE",
                description = "More attributes that its limits count by.")
        private List<String> attributes = List.of();

        @Mixin
        private RequestOptions request = new RequestOptions();

        final ClientName client() {
            return ClientName.of(client, attributes);
        }

        final Map<String, String> query() {
            Map<String, String> query = request.query();
            query.putAll(client().others());
            return query;
        }

        final ObjectNode status() throws IOException {
            return (ObjectNode) ask("GET", client().path(), query(), null);
        }
    }

    @Command(
            name = "usage",
            mixinStandardHelpOptions = true,
            description = "Shows the live consumption of a client, a line for each limit and region.")
    private static final class ClientUsage extends ClientCommand {
        @Override
        int run() throws IOException {
            ObjectNode status = status();
            if (json) {
                out().println(status);
                return done();
            }
            List<List<String>> rows = new ArrayList<>();
            status.path("limits").forEach(limit -> {
                rows.add(row(limit, text(limit.path("policy")), "all"));
                limit.path("regions").forEach(region -> rows.add(row(region, "", text(region.path("region")))));
            });
            if (rows.isEmpty()) {
                out().println("No limit counts this client.");
            } else {
                out().print(TextTable.of(List.of("POLICY", "REGION", "LIMIT", "USED", "REMAINING", "RESET AT"), rows));
            }
            return missing(this, status);
        }

        private static List<String> row(JsonNode counted, String policy, String region) {
            return List.of(
                    policy,
                    region,
                    text(counted.path("limit")),
                    text(counted.path("used")),
                    text(counted.path("remaining")),
                    text(counted.path("reset_at")));
        }
    }

    /** Says which regions did not answer; what is shown is then not all. */
    private static int missing(AdminCommand command, JsonNode status) {
        if (status.path("missing").isEmpty()) {
            return ExitCode.DONE;
        }
        command.spec
                .commandLine()
                .getErr()
                .println("No answer from: " + AdminCommand.text(status.path("missing")) + ".");
        return ExitCode.NEGATIVE;
    }

    @Command(
            name = "reset",
            mixinStandardHelpOptions = true,
            description = "Forgets what was counted for a client, in every region.")
    private static final class ClientReset extends ClientCommand {
        @Option(names = "--dry-run", description = "Say which regions would, and change nothing.")
        private boolean dryRun;

        @Override
        int run() throws IOException {
            Map<String, String> query = query();
            if (dryRun) {
                query.put("dry_run", "true");
            }
            JsonNode result = ask("DELETE", client().path() + "/counters", query, null);
            if (json) {
                out().println(result);
            } else {
                out().println((dryRun ? "Would reset in: " : "Reset in: ") + text(result.path("reset")) + ".");
            }
            return missing(this, result);
        }
    }

    @Command(
            name = "explain",
            mixinStandardHelpOptions = true,
            description = {
                "Shows for a check which policies match and which do not, why, and how their limits stand. Consumes nothing.",
                "As: explain user_id=42 --endpoint /api/v1/users --method GET; or explain - with a check from a pipe."
            })
    private static final class Explain extends AdminCommand {
        @Parameters(
                paramLabel = "NAME=VALUE|-",
                arity = "0..*",
                description = "Attributes of the check, or - for a whole check as JSON from the standard input.")
        private List<String> attributes = List.of();

        @Option(
                names = "--header",
                paramLabel = "NAME=VALUE",
                description = "A header of the request, as often as needed.")
        private Map<String, String> headers = new LinkedHashMap<>();

        @Option(names = "--cost", paramLabel = "N", description = "Default: 1.")
        private Optional<Long> cost = Optional.empty();

        @Option(names = "--region", paramLabel = "NAME", description = "Only this region. Default: all.")
        private Optional<String> region = Optional.empty();

        @Option(
                names = {"-f", "--file"},
                paramLabel = "FILE",
                description = "A whole check, JSON or YAML.")
        private Optional<String> file = Optional.empty();

        @Mixin
        private RequestOptions request = new RequestOptions();

        @Override
        int run() throws IOException {
            Optional<String> source = attributes.contains("-") ? Optional.of("-") : file;
            ObjectNode check =
                    source.isPresent() ? (ObjectNode) document(source.get()) : JsonNodeFactory.instance.objectNode();
            ObjectNode client = check.withObject("/attributes");
            attributes.stream().filter(each -> !each.equals("-")).forEach(each -> {
                ClientName name = ClientName.of(each, List.of());
                client.put(name.type(), name.identifier());
                name.others().forEach(client::put);
            });
            request.query().forEach(check::put);
            if (!headers.isEmpty()) {
                headers.forEach(check.withObject("/headers")::put);
            }
            cost.ifPresent(number -> check.put("cost", number));
            ObjectNode question = JsonNodeFactory.instance.objectNode();
            region.ifPresent(name -> question.put("region", name));
            question.set("check", check);
            JsonNode answer = ask("POST", "/explain", Map.of(), question);
            if (json || !answer.path("policies").isArray()) {
                describe(answer);
            } else {
                print((ObjectNode) answer);
            }
            return done();
        }

        private void print(ObjectNode answer) {
            for (JsonNode policy : answer.path("policies")) {
                String id = text(policy.has("id") ? policy.path("id") : policy.path("policy"));
                if (policy.path("matched").asBoolean()) {
                    out().println("+ " + id + " applies: limit " + text(policy.path("limit")) + " per "
                            + text(policy.path("window")) + ", key " + text(policy.path("key"))
                            + (policy.hasNonNull("override") ? ", by an override" : "") + ", in "
                            + text(policy.path("regions")));
                } else {
                    List<String> reasons = new ArrayList<>();
                    policy.path("mismatches").forEach(each -> reasons.add(reason(each)));
                    out().println("- " + id + " does not apply"
                            + (reasons.isEmpty() ? "" : ": " + String.join("; ", reasons)));
                }
            }
            JsonNode regions = answer.path("regions");
            answer.remove(List.of("policies", "regions"));
            describe(answer);
            if (regions.isArray() && !regions.isEmpty()) {
                describe(JSON.createObjectNode().set("regions", regions));
            }
        }

        /** {@code endpoint is /x, needs /api/*}. */
        private static String reason(JsonNode mismatch) {
            String name = mismatch.hasNonNull("name") ? " " + text(mismatch.path("name")) : "";
            String actual = mismatch.hasNonNull("actual") ? text(mismatch.path("actual")) : "absent";
            String expected = mismatch.path("expected").isEmpty() ? "a value" : text(mismatch.path("expected"));
            return mismatch.path("selector").asText().equals("disabled")
                    ? "it is disabled"
                    : text(mismatch.path("selector")) + name + " is " + actual + ", needs " + expected;
        }
    }

    @Command(
            name = "inspect",
            mixinStandardHelpOptions = true,
            description = {
                "Says in words how the limits of a client or key stand in every region: counters, leases, window accounts, grants.",
                "As: inspect user_id:42, or inspect user_id=42,tenant=acme --policy api-default."
            })
    private static final class Inspect extends ClientCommand {
        private static final Set<String> SAID =
                Set.of("region", "limit", "used", "remaining", "reset_at", "leased", "account");

        @Option(names = "--policy", paramLabel = "ID", description = "Only the limit of this policy.")
        private Optional<String> policy = Optional.empty();

        @Override
        int run() throws IOException {
            ObjectNode status = status();
            if (policy.isPresent()) {
                var wanted = JsonNodeFactory.instance.arrayNode();
                status.path("limits").forEach(limit -> {
                    if (limit.path("policy").asText().equals(policy.get())) {
                        wanted.add(limit);
                    }
                });
                status.set("limits", wanted);
            }
            if (json) {
                out().println(status);
                return status.path("missing").isEmpty() ? ExitCode.DONE : ExitCode.NEGATIVE;
            }
            out().println(text(status.path("identifier_type")) + " " + text(status.path("identifier")) + ", as of "
                    + text(status.path("asked_at")) + ": "
                    + count(status.path("limits").size(), "limit") + ".");
            status.path("limits").forEach(this::limit);
            return missing(this, status);
        }

        private void limit(JsonNode limit) {
            boolean global = limit.path("scope").asText().equals("global");
            String key = text(limit.path("key"));
            out().println();
            out().println("Policy " + text(limit.path("policy")) + ", "
                    + (key.equals("-") || key.isEmpty() ? "one counter for all" : "key " + key) + ". "
                    + (global
                            ? "One limit of " + text(limit.path("limit")) + " over all regions: "
                                    + text(limit.path("used")) + " used, " + text(limit.path("remaining")) + " left."
                            : "Each region has its own limit of " + text(limit.path("limit")) + "."));
            limit.path("regions").forEach(region -> out().println("  " + region(region, global)));
        }

        private static String region(JsonNode region, boolean global) {
            StringBuilder words = new StringBuilder(text(region.path("region"))).append(": ");
            JsonNode account = region.path("account");
            if (!global) {
                words.append("the counter has %s of %s used, %s left"
                        .formatted(
                                text(region.path("used")), text(region.path("limit")), text(region.path("remaining"))));
            } else if (account.isObject()) {
                words.append("the window account has %s taken and %s returned here, and knows of %s used elsewhere"
                        .formatted(
                                text(account.path("taken")),
                                text(account.path("returned")),
                                text(account.path("used_elsewhere"))));
                words.append("; %s may still be admitted here".formatted(text(region.path("remaining"))));
                if (account.path("grant_available").asLong(0) > 0) {
                    words.append("; floor and grants are %s".formatted(text(account.path("grant_available"))));
                }
            } else {
                words.append("the window account has %s used here; %s may still be admitted here"
                        .formatted(text(region.path("used")), text(region.path("remaining"))));
            }
            if (region.path("leased").asLong(0) > 0) {
                words.append("; of the used, %s are leased by the limiter that answered and not yet spent"
                        .formatted(text(region.path("leased"))));
            }
            // A field of a later service is shown by its name.
            for (Map.Entry<String, JsonNode> field : region.properties()) {
                if (!SAID.contains(field.getKey())
                        && field.getValue().isValueNode()
                        && !field.getValue().isNull()) {
                    words.append("; ")
                            .append(field.getKey().replace('_', ' '))
                            .append(" ")
                            .append(text(field.getValue()));
                }
            }
            return words.append("; untouched again at ")
                    .append(text(region.path("reset_at")))
                    .append(".")
                    .toString();
        }

        private static String count(int number, String name) {
            return number + " " + name + (number == 1 ? "" : "s");
        }
    }
}
