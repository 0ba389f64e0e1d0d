package io.meridian.drill.definition;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Action or probe of a drill.
 *
 * @param background whether the next activity begins without waiting for this one
 * @param source its JSON in the drill file, for the journal
 */
public record Activity(
        Kind kind,
        String name,
        Provider provider,
        Duration pauseBefore,
        Duration pauseAfter,
        boolean background,
        Optional<Tolerance> tolerance,
        JsonNode source) {
    /** Kind of activity: an action changes the target, a probe only reads it. */
    public enum Kind {
        ACTION("action"),
        PROBE("probe");

        private final String word;

        Kind(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }
    }

    /** Accepted outputs of a probe: one value, one of several, a range of numbers, or a regular expression to find in its text. */
    public record Tolerance(JsonNode form) {
        public Tolerance {
            if (form.path("type").asText().equals("regex")) {
                requirePattern(form.path("pattern").asText());
            }
        }

        private static void requirePattern(String pattern) {
            try {
                Pattern.compile(pattern);
            } catch (PatternSyntaxException e) {
                throw new IllegalArgumentException(
                        "pattern must be a regular expression, got %s: %s".formatted(pattern, e.getDescription()), e);
            }
        }

        /** Whether it accepts an output. Of a command or a request that is the status; for a regular expression the stdout or body. */
        public boolean accepts(JsonNode found) {
            if (form.isObject()) {
                return switch (form.path("type").asText()) {
                    case "range" -> isWithin(form.path("range"), plain(found));
                    case "regex" ->
                        Pattern.compile(form.path("pattern").asText())
                                .matcher(text(found))
                                .find();
                    default -> throw new IllegalArgumentException("tolerance must be a range or a regex, got " + form);
                };
            }
            if (form.isArray()) {
                for (JsonNode one : form) {
                    if (same(one, plain(found))) {
                        return true;
                    }
                }
                return false;
            }
            return same(form, plain(found));
        }

        private static boolean isWithin(JsonNode range, JsonNode found) {
            return found.isNumber()
                    && found.asDouble() >= range.path(0).asDouble()
                    && found.asDouble() <= range.path(1).asDouble();
        }

        private static boolean same(JsonNode one, JsonNode other) {
            return (one.isNumber() && other.isNumber())
                    ? Double.compare(one.asDouble(), other.asDouble()) == 0
                    : one.equals(other);
        }

        private static JsonNode plain(JsonNode found) {
            return found.isObject() ? found.path("status") : found;
        }

        private static String text(JsonNode found) {
            return found.isObject()
                    ? found.path("stdout").asText() + found.path("body").asText()
                    : found.asText();
        }
    }
}
