package io.meridian.stack.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.model.rules.RuleEntry;
import io.meridian.stack.rules.RuleDiff.Difference;
import io.meridian.stack.rules.RuleFile.PlacedEntry;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Brings differences into effect. One call takes so many changes and so many bytes, and is made whole or not at all; what is
 * more goes in several calls. A call is refused if anybody else has changed the rulebook since it was compared.
 */
public final class RuleUpdate {
    static final int CHANGES_MAX = 10_000;
    static final int BYTES_MAX = 2 << 20;

    private final List<List<Difference>> calls = new ArrayList<>();
    private final AdminApi api;
    private final boolean allowUnknown;
    private long revision;

    /**
     * @param allowUnknown whether policies may name tiers and regions that do not exist
     */
    public RuleUpdate(AdminApi api, RuleDiff differences, boolean prune, boolean allowUnknown) {
        this.api = api;
        this.allowUnknown = allowUnknown;
        this.revision = differences.revision();
        int bytes = 0;
        for (Difference difference : ordered(differences, prune)) {
            int more = text(difference).getBytes(StandardCharsets.UTF_8).length + 1;
            if (calls.isEmpty() || last().size() == CHANGES_MAX || bytes + more > BYTES_MAX) {
                calls.add(new ArrayList<>());
                bytes = 0;
            }
            last().add(difference);
            bytes += more;
        }
    }

    private List<Difference> last() {
        return calls.get(calls.size() - 1);
    }

    public int calls() {
        return calls.size();
    }

    /** Result of a call: the revision it made, and the warnings of the service. */
    public record Made(long revision, List<String> warnings) {}

    /** Makes the changes of one call. */
    public Made send(int call) {
        Made made = send(calls.get(call), false);
        revision = made.revision();
        return made;
    }

    /** Has the changes of the first call checked; those of a later one rest on changes that were not made. */
    public List<String> check() {
        return send(calls.get(0), true).warnings();
    }

    public int changes(int call) {
        return calls.get(call).size();
    }

    private Made send(List<Difference> changes, boolean dryRun) {
        AdminHttp.Answer answer = api.change(body(changes), revision, dryRun, allowUnknown);
        if (!answer.isGood()) {
            throw new RuleFailure(ApiProblem.of(answer, changes));
        }
        List<String> warnings = new ArrayList<>();
        answer.body().path("warnings").forEach(each -> warnings.add(each.asText()));
        return new Made(answer.body().path("revision").asLong(-1), warnings);
    }

    /** First what others refer to; a default tier after those that no longer are; and removals last, backwards. */
    private static List<Difference> ordered(RuleDiff differences, boolean prune) {
        List<Difference> puts = differences.all().stream()
                .filter(difference -> !(difference instanceof Difference.Removed))
                .toList();
        List<Difference> removals = new ArrayList<>(differences.all().stream()
                .filter(difference -> prune && difference instanceof Difference.Removed)
                .toList());
        Collections.reverse(removals);
        return Stream.of(
                        puts.stream().filter(put -> isTier(put) && !isDefaultTier(put)),
                        puts.stream().filter(RuleUpdate::isDefaultTier),
                        puts.stream().filter(put -> !isTier(put)),
                        removals.stream())
                .flatMap(part -> part)
                .toList();
    }

    private static boolean isTier(Difference difference) {
        return Section.of(difference.key()) == Section.TIERS;
    }

    private static boolean isDefaultTier(Difference difference) {
        return difference
                .placed()
                .filter(placed -> placed.entry() instanceof RuleEntry.OfTier tier
                        && tier.tier().isDefault())
                .isPresent();
    }

    private static String text(Difference difference) {
        ObjectNode change = JsonNodeFactory.instance.objectNode();
        String kind = Section.of(difference.key()).kind();
        return difference
                .placed()
                .map(placed -> change.put("op", "put").put("kind", kind).set("entry", Documents.brief(placed.entry())))
                .orElseGet(() -> change.put("op", "delete").put("kind", kind).put("id", Documents.id(difference.key())))
                .toString();
    }

    private static byte[] body(List<Difference> changes) {
        StringBuilder body = new StringBuilder("{\"changes\":[");
        for (int i = 0; i < changes.size(); i++) {
            body.append(i == 0 ? "" : ",").append(text(changes.get(i)));
        }
        return body.append("]}").toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Message for the user about a call that the admin API refused. */
    static final class ApiProblem {
        private static final Pattern CHANGE = Pattern.compile("changes\\[([0-9]{1,5})](?:\\.entry)?\\.?(.*)");

        private static final int STALE = 412;

        private ApiProblem() {}

        static String of(AdminHttp.Answer answer, String what) {
            String hint = answer.status() == 401 ? " Is it the token of this deployment?" : "";
            return "The admin API refused " + what.replaceFirst("\\?.*", "") + " with " + answer.status() + ": "
                    + said(answer.body()) + "." + hint;
        }

        /** The same for changes: each error with the entry it is about, and where that stands. */
        static String of(AdminHttp.Answer answer, List<Difference> sent) {
            if (answer.status() == STALE) {
                return "The rulebook was changed by somebody else since it was compared (" + said(answer.body())
                        + "). Nothing of these changes was made; look at the difference again.";
            }
            JsonNode errors = answer.body().path("errors");
            if (errors.isEmpty()) {
                return of(answer, "the changes");
            }
            StringBuilder text = new StringBuilder("The admin API refused the changes with " + answer.status() + ":");
            errors.forEach(error -> text.append("\n").append(line(error, sent)));
            return text.append("\nNothing of them was changed.").toString();
        }

        private static String line(JsonNode error, List<Difference> sent) {
            String field = error.path("field").asText();
            String said = " " + error.path("rule").asText() + ", got "
                    + YamlText.of(error.path("value").asText());
            Matcher matcher = CHANGE.matcher(field);
            if (matcher.matches() && Integer.parseInt(matcher.group(1)) < sent.size()) {
                return about(sent.get(Integer.parseInt(matcher.group(1)))) + matcher.group(2) + said;
            }
            // An error in the resulting rulebook as a whole names no entry; the entry is found by the rejected value.
            String value = error.path("value").asText();
            return sent.stream()
                            .filter(difference -> difference
                                    .placed()
                                    .filter(placed -> Documents.whole(placed.entry())
                                            .path(field)
                                            .asText()
                                            .equals(value))
                                    .isPresent())
                            .findFirst()
                            .map(ApiProblem::about)
                            .orElse("")
                    + field
                    + said;
        }

        private static String about(Difference difference) {
            return difference.placed().map(PlacedEntry::place).orElse("--prune") + ": "
                    + DiffText.name(difference.key()) + ": ";
        }

        private static String said(JsonNode body) {
            String title = body.path("title").asText("no reason given");
            String detail = body.path("detail").asText("");
            return detail.isEmpty() ? title : title + " (" + detail + ")";
        }
    }
}
