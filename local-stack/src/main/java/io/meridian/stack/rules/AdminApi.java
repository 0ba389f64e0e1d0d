package io.meridian.stack.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.model.rules.RuleEntry;
import io.meridian.stack.rules.RuleUpdate.ApiProblem;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongFunction;

/** The rulebook of a running config-service, by its admin API. */
public final class AdminApi {
    private static final int TRIES_MAX = 3;
    /** A policy may be as long as a hundred lines of a list. */
    private static final int POLICIES_PER_PAGE = 100;

    private static final int LINES_PER_PAGE = 1_000;
    private static final int CREATED = 201;
    private static final int NOT_FOUND = 404;
    /** Fields that the service adds to an entry; a policy's id is its own. */
    private static final Set<String> OF_THE_SERVICE =
            Set.of("id", "version", "created_at", "updated_at", "created_by", "warnings", "revision");

    private final AdminHttp http;

    /** Reaches a config-service, {@code http://127.0.0.1:8080}. */
    public AdminApi(String url, String token) {
        this.http = new AdminHttp(url, token);
    }

    /** Number of changes of the rulebook so far. */
    public long revision() {
        return good("/revision").path("revision").asLong(-1);
    }

    /** Report of how far every limiter is, as the API has it. */
    public JsonNode regions() {
        return good("/regions");
    }

    /** Path of the console that signs a browser in as this caller, once and for some minutes. */
    public String signInPath() {
        AdminHttp.Answer answer = http.create("/session/links");
        String path = answer.body().path("path").asText();
        if (answer.status() != CREATED || !path.startsWith("/")) {
            throw new RuleFailure("no sign-in link was created: status " + answer.status());
        }
        return path;
    }

    /** Reads of one revision, which it is told: again if the rulebook has changed meanwhile, since what it read never was. */
    <T> T unchangedWhile(LongFunction<T> reading) {
        for (int tries = 0; tries < TRIES_MAX; tries++) {
            long before = revision();
            T read = reading.apply(before);
            if (revision() == before) {
                return read;
            }
        }
        throw new RuleFailure("The rulebook changed while it was read, " + TRIES_MAX
                + " times in a row. Try again when it is quieter.");
    }

    /** Hands over every entry of a section, in the API's order, holding one page at a time. */
    void each(Section section, Consumer<RuleEntry> consumer) {
        if (section == Section.ADAPTIVE) {
            AdminHttp.Answer answer = http.get("/" + section.path());
            if (answer.status() != NOT_FOUND) {
                JsonNode table = good(answer, section.path());
                consumer.accept(
                        entry(section, JsonNodeFactory.instance.objectNode().set("steps", table.path("steps"))));
            }
            return;
        }
        int perPage = section == Section.POLICIES ? POLICIES_PER_PAGE : LINES_PER_PAGE;
        String next = "";
        do {
            String cursor = next.isEmpty() ? "" : "&cursor=" + URLEncoder.encode(next, StandardCharsets.UTF_8);
            JsonNode page = good("/" + section.path() + "?limit=" + perPage + cursor);
            page.path("items").forEach(item -> consumer.accept(entry(section, item)));
            String last = next;
            next = page.path("next").asText("");
            if (!next.isEmpty() && next.equals(last)) {
                throw new RuleFailure("The pages of " + section.path() + " do not end");
            }
        } while (!next.isEmpty());
    }

    private static RuleEntry entry(Section section, JsonNode item) {
        try {
            if (section != Section.POLICIES && item instanceof ObjectNode object) {
                object.remove(OF_THE_SERVICE);
            }
            return section.read(item);
        } catch (IllegalArgumentException unknown) {
            throw new RuleFailure(
                    "An entry of " + section.path() + " is not of the kind this build knows: " + unknown.getMessage());
        }
    }

    /** Sends changes as one: all of them are made, or none, also if the rulebook is at another revision by now. */
    AdminHttp.Answer change(byte[] changes, long revision, boolean dryRun, boolean allowUnknown) {
        List<String> parameters = new ArrayList<>();
        if (dryRun) {
            parameters.add("dry_run=true");
        }
        if (allowUnknown) {
            parameters.add("allow_unknown=true");
        }
        String query = parameters.isEmpty() ? "" : "?" + String.join("&", parameters);
        return http.post("/changes" + query, changes, "\"" + revision + "\"");
    }

    private JsonNode good(String path) {
        return good(http.get(path), path);
    }

    private static JsonNode good(AdminHttp.Answer answer, String path) {
        if (!answer.isGood()) {
            throw new RuleFailure(ApiProblem.of(answer, path));
        }
        return answer.body();
    }
}
