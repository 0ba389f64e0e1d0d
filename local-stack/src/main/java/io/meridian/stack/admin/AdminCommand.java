package io.meridian.stack.admin;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import io.meridian.model.time.TimeSource;
import io.meridian.stack.admin.AdminFailure.ExitCode;
import io.meridian.stack.process.StartFailure;
import io.meridian.stack.rules.AdminHttp;
import io.meridian.stack.rules.AdminHttp.Answer;
import io.meridian.stack.rules.RuleFailure;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.net.URLEncoder;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Command that calls the admin API: one way to call, to page, and to show an answer to people or to programs. */
abstract class AdminCommand implements Callable<Integer> {
    static final ObjectMapper JSON = new ObjectMapper();

    private static final int DOCUMENT_MAX = 1 << 20;
    private static final int PAGE_MAX = 1_000;
    private static final int ITEMS_MAX = 1_000_000;
    private static final Pattern AGO = Pattern.compile("([0-9]{1,6})([smhd])");
    private static final Map<String, ChronoUnit> UNITS =
            Map.of("s", ChronoUnit.SECONDS, "m", ChronoUnit.MINUTES, "h", ChronoUnit.HOURS, "d", ChronoUnit.DAYS);

    @Mixin
    AdminOption admin = new AdminOption();

    @Option(
            names = "--json",
            description = "Print the answer as JSON, for programs; a refusal is its problem document.")
    boolean json;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before the call
    CommandSpec spec;

    private @Nullable AdminHttp http;

    @Override
    public final Integer call() throws IOException {
        try {
            int code = run();
            out().flush();
            return code;
        } catch (AdminFailure refused) {
            PrintWriter err = spec.commandLine().getErr();
            err.println(json && refused.problem().isObject() ? refused.problem().toString() : refused.getMessage());
            return refused.exitCode();
        } catch (StartFailure | IllegalArgumentException wrong) {
            spec.commandLine().getErr().println(wrong.getMessage());
            return ExitCode.USAGE;
        } catch (RuleFailure failed) {
            spec.commandLine().getErr().println(failed.getMessage());
            return failed.kind() == RuleFailure.Kind.UNAVAILABLE ? ExitCode.UNAVAILABLE : ExitCode.REFUSED;
        }
    }

    /** Returns the exit code. */
    abstract int run() throws IOException;

    final PrintWriter out() {
        return spec.commandLine().getOut();
    }

    final Answer send(String method, String path, Map<String, String> query, @Nullable JsonNode body)
            throws IOException {
        Map<String, String> headers = body == null ? Map.of() : Map.of("Content-Type", "application/json");
        BodyPublisher bytes = body == null
                ? BodyPublishers.noBody()
                : BodyPublishers.ofString(body.toString(), StandardCharsets.UTF_8);
        return send(method, path, query, bytes, headers);
    }

    final Answer send(
            String method, String path, Map<String, String> query, BodyPublisher body, Map<String, String> headers)
            throws IOException {
        if (http == null) {
            http = admin.http();
        }
        StringBuilder target = new StringBuilder(path);
        query.forEach((name, value) -> target.append(target.indexOf("?") < 0 ? "?" : "&")
                .append(encoded(name))
                .append("=")
                .append(encoded(value)));
        return http.call(method, target.toString(), body, headers);
    }

    /** The body of a good answer; any other one is a failure. */
    final JsonNode ask(String method, String path, Map<String, String> query, @Nullable JsonNode body)
            throws IOException {
        return good(send(method, path, query, body));
    }

    static JsonNode good(Answer answer) {
        if (!answer.isGood()) {
            throw AdminFailure.of(answer);
        }
        return answer.body();
    }

    /** A part of a path or query; the slash of an identifier is escaped too, and the blank is not a plus. */
    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** The first items of a list, from as many pages as they take, in one answer: {@code items}, {@code next} and what else it had. */
    final ObjectNode items(String path, Map<String, String> query, int wanted, int perPage) throws IOException {
        if (wanted < 1 || wanted > ITEMS_MAX) {
            throw new IllegalArgumentException("--limit must be from 1 to " + ITEMS_MAX + ", got " + wanted);
        }
        ObjectNode all = JsonNodeFactory.instance.objectNode();
        ArrayNode items = JsonNodeFactory.instance.arrayNode();
        Map<String, String> parameters = new LinkedHashMap<>(query);
        String next = "";
        do {
            parameters.put("limit", Integer.toString(Math.min(Math.min(perPage, PAGE_MAX), wanted - items.size())));
            if (!next.isEmpty()) {
                parameters.put("cursor", next);
            }
            JsonNode page = ask("GET", path, parameters, null);
            if (page instanceof ObjectNode object) {
                all.setAll(object);
            }
            page.path("items").forEach(items::add);
            String last = next;
            next = page.path("next").asText("");
            if (page.path("items").isEmpty() || next.equals(last)) {
                break;
            }
        } while (!next.isEmpty() && items.size() < wanted);
        return all.set("items", items);
    }

    /** Shows a list: as JSON, or as a table with these columns, by their path in an item. */
    final void show(ObjectNode list, Map<String, String> columns) {
        if (json) {
            out().println(list);
            return;
        }
        JsonNode items = list.path("items");
        if (items.isEmpty()) {
            out().println("None.");
            return;
        }
        List<List<String>> rows = new ArrayList<>();
        for (JsonNode item : items) {
            rows.add(columns.values().stream().map(path -> text(at(item, path))).toList());
        }
        out().print(TextTable.of(List.copyOf(columns.keySet()), rows));
        if (!list.path("next").asText("").isEmpty()) {
            spec.commandLine().getErr().println("There are more: --limit N shows the first N.");
        }
    }

    /** Columns by header and path: {@code "ID", "id", "LIMIT", "limit"}. */
    static Map<String, String> columns(String... headersAndPaths) {
        Map<String, String> columns = new LinkedHashMap<>();
        for (int i = 0; i < headersAndPaths.length; i += 2) {
            columns.put(headersAndPaths[i], headersAndPaths[i + 1]);
        }
        return columns;
    }

    /** The value at a path, {@code loop_delay_ms.p99}. */
    static JsonNode at(JsonNode item, String path) {
        JsonNode node = item;
        for (String part : path.split("\\.", -1)) {
            node = node.path(part);
        }
        return node;
    }

    /** One value in a cell or line. */
    static String text(JsonNode value) {
        if (value.isMissingNode() || value.isNull() || (value.isContainerNode() && value.isEmpty())) {
            return "-";
        }
        if (value.isArray()) {
            List<String> parts = new ArrayList<>();
            value.forEach(each -> parts.add(text(each)));
            return String.join(", ", parts);
        }
        return TextTable.printable(value.isValueNode() ? value.asText() : value.toString());
    }

    /** Shows one document: as JSON, or as YAML, which people read. */
    final void show(JsonNode document) throws IOException {
        if (json) {
            out().println(document);
        } else if (document.isObject()) {
            out().print(Yaml.MAPPER.writeValueAsString(document));
        }
    }

    /**
     * Shows an answer whose fields this build need not know: values as lines, lists of objects as tables below their names. For
     * programs it is the answer.
     */
    final void describe(JsonNode answer) {
        if (json) {
            out().println(answer);
        } else {
            describe(answer, "");
        }
    }

    private void describe(JsonNode answer, String indent) {
        for (Map.Entry<String, JsonNode> field : answer.properties()) {
            JsonNode value = field.getValue();
            String name = field.getKey().replace('_', ' ');
            if (value.isArray() && !value.isEmpty() && value.get(0).isObject()) {
                out().println(indent + name + ":");
                table(value, indent + "  ");
            } else if (value.isObject() && !value.isEmpty()) {
                out().println(indent + name + ":");
                describe(value, indent + "  ");
            } else if (!value.isNull()) {
                out().println(indent + name + ": " + text(value));
            }
        }
    }

    /** Lists within the rows follow the table, each below the values of its row. */
    private void table(JsonNode rows, String indent) {
        Set<String> columns = new LinkedHashSet<>();
        rows.forEach(row -> row.properties().forEach(field -> {
            if (!isNested(field.getValue())) {
                columns.add(field.getKey());
            }
        }));
        List<String> header =
                columns.stream().map(name -> name.replace('_', ' ')).toList();
        List<List<String>> cells = new ArrayList<>();
        rows.forEach(row ->
                cells.add(columns.stream().map(name -> text(row.path(name))).toList()));
        boolean nested = false;
        for (JsonNode row : rows) {
            for (JsonNode value : row) {
                nested |= isNested(value);
            }
        }
        if (!nested) {
            TextTable.of(header, cells).lines().forEach(line -> out().println(indent + line));
            return;
        }
        for (int i = 0; i < cells.size(); i++) {
            TextTable.of(header, List.of(cells.get(i))).lines().forEach(line -> out().println(indent + line));
            ObjectNode inner = JsonNodeFactory.instance.objectNode();
            rows.get(i).properties().forEach(field -> {
                if (isNested(field.getValue())) {
                    inner.set(field.getKey(), field.getValue());
                }
            });
            describe(inner, indent + "  ");
        }
    }

    private static boolean isNested(JsonNode value) {
        return (value.isArray() && !value.isEmpty() && value.get(0).isContainerNode())
                || (value.isObject() && !value.isEmpty());
    }

    /** A document from a file, or from the standard input for {@code -}: JSON or YAML. */
    final JsonNode document(String file) throws IOException {
        byte[] bytes;
        try (InputStream in = input(file)) {
            bytes = in.readNBytes(DOCUMENT_MAX + 1);
        } catch (NoSuchFileException missing) {
            throw new StartFailure("There is no file " + file, missing);
        }
        String name = file.equals("-") ? "the standard input" : file;
        if (bytes.length > DOCUMENT_MAX) {
            throw new StartFailure(name + " has more than " + DOCUMENT_MAX + " bytes");
        }
        String text = new String(bytes, StandardCharsets.UTF_8);
        ObjectMapper mapper = text.stripLeading().startsWith("{") ? Strict.JSON : Yaml.MAPPER;
        try {
            JsonNode document = mapper.readTree(text);
            if (document.isObject()) {
                return document;
            }
            throw new StartFailure(name + " must hold one document of JSON or YAML with named fields");
        } catch (JsonProcessingException malformed) {
            String at = malformed.getLocation() == null
                    ? ""
                    : ":" + malformed.getLocation().getLineNr();
            throw new StartFailure(
                    name + at + ": "
                            + String.valueOf(malformed.getOriginalMessage())
                                    .lines()
                                    .findFirst()
                                    .orElse(""),
                    malformed);
        }
    }

    /** A document of YAML as JSON. */
    static JsonNode yaml(String text) throws IOException {
        return Yaml.MAPPER.readTree(text);
    }

    final InputStream input(String file) throws IOException {
        if (!file.equals("-")) {
            return Files.newInputStream(Path.of(file));
        }
        if (admin.readsInput()) {
            throw new StartFailure("The standard input cannot be both the token and the document.");
        }
        return System.in;
    }

    /** A time as RFC 3339, or so long ago: {@code 15m}, {@code 2h}, {@code 1d}. Anything else is the service's to refuse. */
    static String time(String text) {
        Matcher ago = AGO.matcher(text);
        if (!ago.matches()) {
            return text;
        }
        ChronoUnit unit = Optional.ofNullable(UNITS.get(ago.group(2))).orElseThrow();
        Instant now = Instant.EPOCH.plus(TimeSource.system().wallMicros(), ChronoUnit.MICROS);
        return now.minus(Duration.of(Long.parseLong(ago.group(1)), unit))
                .truncatedTo(ChronoUnit.MILLIS)
                .toString();
    }

    static int done() {
        return ExitCode.DONE;
    }

    /** YAML is needed for few commands, and takes its time to load. */
    private static final class Yaml {
        static final ObjectMapper MAPPER = new ObjectMapper(YAMLFactory.builder()
                        .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
                        .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
                        .enable(YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
                        .enable(YAMLGenerator.Feature.INDENT_ARRAYS_WITH_INDICATOR)
                        .build())
                .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);

        private Yaml() {}
    }

    private static final class Strict {
        static final ObjectMapper JSON = new ObjectMapper()
                .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
                .enable(com.fasterxml.jackson.databind.DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

        private Strict() {}
    }
}
