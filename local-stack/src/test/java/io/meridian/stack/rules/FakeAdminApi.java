package io.meridian.stack.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.meridian.model.rules.RuleEntry;
import io.meridian.stack.process.Loopback;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** The admin API as far as the command uses it, in memory. */
public final class FakeAdminApi implements AutoCloseable {
    public static final String TOKEN = "token-of-a-test";

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String BASE = "/admin/api/v1/";

    private final HttpServer server = HttpServer.create(Loopback.at(0), 0);
    /** By kind and id, with a character between them that no id has. */
    private final NavigableMap<String, RuleEntry> rulebook = new TreeMap<>();

    private final AdminApi client;
    private long revision;
    private int calls;
    private int readsThatMeetAChange;
    private int changesThatComeFirst;
    private int pageMax = Integer.MAX_VALUE;

    public FakeAdminApi() throws IOException {
        server.createContext("/", this::handle);
        server.start();
        client = new AdminApi(url(), TOKEN);
    }

    public String url() {
        return "http://" + Loopback.HOST + ":" + server.getAddress().getPort();
    }

    public AdminApi client() {
        return client;
    }

    public long revision() {
        return revision;
    }

    /** The calls that changed, or were to change, something. */
    public int calls() {
        return calls;
    }

    void pagesOfAtMost(int items) {
        pageMax = items;
    }

    /** So many times, something changes between two questions for the revision. */
    public void changeDuringReads(int times) {
        readsThatMeetAChange = times;
    }

    /** So many times, somebody else is faster. */
    public void changeBeforeChanges(int times) {
        changesThatComeFirst = times;
    }

    void clear() {
        rulebook.clear();
    }

    void put(RuleEntry entry) {
        rulebook.put(key(Section.of(entry.key()), Documents.id(entry.key())), entry);
    }

    private static String key(Section section, String id) {
        return section.kind() + "\n" + id;
    }

    private NavigableMap<String, RuleEntry> after(Section section, String id) {
        return rulebook.subMap(key(section, id), false, section.kind() + "\r", false);
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (!("Bearer " + TOKEN).equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
                answer(exchange, 401, problem("The token is missing or wrong"));
                return;
            }
            String path = exchange.getRequestURI().getPath();
            if (!path.startsWith(BASE) || path.endsWith("/regions")) {
                answer(exchange, 404, problem("There is no such thing"));
            } else if (path.endsWith("/revision")) {
                revision += readsThatMeetAChange-- > 0 ? 1 : 0;
                answer(exchange, 200, JSON.createObjectNode().put("revision", revision));
            } else if (path.endsWith("/changes")) {
                change(exchange);
            } else {
                list(exchange, path.substring(BASE.length()));
            }
        }
    }

    private void list(HttpExchange exchange, String path) throws IOException {
        Section section = Section.ALL.stream()
                .filter(known -> known.path().equals(path))
                .findFirst()
                .orElseThrow();
        Map<String, String> query = query(exchange);
        NavigableMap<String, RuleEntry> rest = after(section, query.getOrDefault("cursor", ""));
        if (section == Section.ADAPTIVE) {
            JsonNode table = rest.isEmpty()
                    ? problem("There is no such thing")
                    : shown(rest.values().iterator().next());
            answer(exchange, rest.isEmpty() ? 404 : 200, table);
            return;
        }
        int limit = Math.min(pageMax, Integer.parseInt(query.getOrDefault("limit", "100")));
        ObjectNode page = JSON.createObjectNode().putNull("next");
        ArrayNode items = page.putArray("items");
        rest.values().stream().limit(limit).forEach(entry -> items.add(shown(entry)));
        if (rest.size() > limit) {
            page.put("next", items.get(limit - 1).path("id").asText());
        }
        answer(exchange, 200, page);
    }

    private static ObjectNode shown(RuleEntry entry) {
        return Documents.whole(entry)
                .put("id", Documents.id(entry.key()))
                .put("version", 7)
                .put("created_at", "2026-01-01T00:00:00Z")
                .put("updated_at", "2026-01-02T00:00:00Z");
    }

    private void change(HttpExchange exchange) throws IOException {
        calls++;
        revision += changesThatComeFirst-- > 0 ? 1 : 0;
        if (!("\"" + revision + "\"").equals(exchange.getRequestHeaders().getFirst("If-Match"))) {
            answer(exchange, 412, problem("It has changed since it was read"));
            return;
        }
        JsonNode changes = JSON.readTree(exchange.getRequestBody()).path("changes");
        Map<String, RuleEntry> before = new TreeMap<>(rulebook);
        ArrayNode errors = JSON.createArrayNode();
        ArrayNode warnings = JSON.createArrayNode();
        for (int i = 0; i < changes.size(); i++) {
            change(changes.get(i), "changes[" + i + "]", errors);
            if (!query(exchange).containsKey("allow_unknown")) {
                refuseUnknownTiers(changes.get(i), "changes[" + i + "]", errors);
            }
            changes.get(i).path("entry").path("key").forEach(part -> {
                if (part.asText().equals("userid")) {
                    warnings.add("key names the attribute userid");
                }
            });
        }
        boolean dryRun = query(exchange).containsKey("dry_run");
        if (dryRun || !errors.isEmpty()) {
            rulebook.clear();
            rulebook.putAll(before);
        } else {
            revision++;
        }
        if (errors.isEmpty()) {
            answer(
                    exchange,
                    200,
                    JSON.createObjectNode().put("revision", revision).set("warnings", warnings));
        } else {
            answer(exchange, 422, problem("A value breaks a rule").set("errors", errors));
        }
    }

    private void change(JsonNode change, String path, ArrayNode errors) {
        Section section = Section.ALL.stream()
                .filter(known -> known.kind().equals(change.path("kind").asText()))
                .findFirst()
                .orElseThrow();
        if (change.path("op").asText().equals("delete")) {
            if (rulebook.remove(key(section, change.path("id").asText())) == null) {
                error(errors, path + ".id", change.path("id").asText(), "must be of an entry that is there");
            }
            return;
        }
        RuleEntry entry = section.read(change.path("entry"));
        if (entry instanceof RuleEntry.OfOverride override
                && !rulebook.containsKey(
                        key(Section.POLICIES, override.override().policy()))) {
            error(errors, path + ".entry.policy", override.override().policy(), "must be the id of a policy");
        }
        put(entry);
    }

    private void refuseUnknownTiers(JsonNode change, String path, ArrayNode errors) {
        change.path("entry").path("applies_to").path("tiers").forEach(tier -> {
            if (!rulebook.containsKey(key(Section.TIERS, tier.asText()))) {
                error(errors, path + ".applies_to.tiers", tier.asText(), "must be a tier that exists");
            }
        });
    }

    private static void error(ArrayNode errors, String field, String value, String rule) {
        errors.addObject().put("field", field).put("value", value).put("rule", rule);
    }

    private static ObjectNode problem(String title) {
        return JSON.createObjectNode().put("title", title);
    }

    private static Map<String, String> query(HttpExchange exchange) {
        Map<String, String> query = new HashMap<>();
        String raw = exchange.getRequestURI().getRawQuery();
        Arrays.stream(raw == null ? new String[0] : raw.split("&")).forEach(part -> {
            String[] pair = part.split("=", 2);
            query.put(pair[0], URLDecoder.decode(pair[1], StandardCharsets.UTF_8));
        });
        return query;
    }

    private static void answer(HttpExchange exchange, int status, JsonNode body) throws IOException {
        byte[] bytes = JSON.writeValueAsBytes(body);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
