package io.meridian.stack.rules;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the admin API says of a call that it refuses, for the user. */
final class Problem {
    private static final Pattern CHANGE = Pattern.compile("changes\\[([0-9]{1,5})](?:\\.entry)?\\.?(.*)");

    private static final int STALE = 412;

    private Problem() {}

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
        // What is wrong only with the rulebook that would result comes without a place; the value says enough.
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
                        .map(Problem::about)
                        .orElse("")
                + field
                + said;
    }

    private static String about(Difference difference) {
        return difference.placed().map(Placed::place).orElse("--prune") + ": " + Review.name(difference.key()) + ": ";
    }

    private static String said(JsonNode body) {
        String title = body.path("title").asText("no reason given");
        String detail = body.path("detail").asText("");
        return detail.isEmpty() ? title : title + " (" + detail + ")";
    }
}
