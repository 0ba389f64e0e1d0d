package io.meridian.stack.rules;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * Values as YAML on one line. A text stands without quotes only where every reader of YAML, old or new, takes it for that
 * text; within quotes, whatever cannot be seen in a review is escaped.
 */
final class YamlText {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z/](?:[A-Za-z0-9 _./*-]*[A-Za-z0-9_./*-])?"
            + "|[1-9][0-9]*[smhd]|[0-9]{1,3}(?:\\.[0-9]{1,3}){3}(?:/[0-9]{1,2})?");
    private static final Set<String> WORDS =
            Set.of("true", "false", "yes", "no", "on", "off", "y", "n", "null", "nan", "inf");

    private YamlText() {}

    /** A list or mapping in flow style: {@code {endpoints: [/api/*], methods: [GET]}}. */
    static String of(JsonNode value) {
        if (value.isArray()) {
            return StreamSupport.stream(value.spliterator(), false)
                    .map(YamlText::of)
                    .collect(Collectors.joining(", ", "[", "]"));
        }
        if (value.isObject()) {
            return value.properties().stream()
                    .map(field -> of(field.getKey()) + ": " + of(field.getValue()))
                    .collect(Collectors.joining(", ", "{", "}"));
        }
        return value.isTextual() ? of(value.textValue()) : value.toString();
    }

    static String of(String text) {
        if (PLAIN.matcher(text).matches() && !WORDS.contains(text.toLowerCase(Locale.ROOT))) {
            return text;
        }
        StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
        text.codePoints().forEach(point -> append(quoted, point));
        return quoted.append('"').toString();
    }

    private static void append(StringBuilder quoted, int point) {
        switch (point) {
            case '"' -> quoted.append("\\\"");
            case '\\' -> quoted.append("\\\\");
            case '\n' -> quoted.append("\\n");
            case '\t' -> quoted.append("\\t");
            default -> {
                if (isVisible(point)) {
                    quoted.appendCodePoint(point);
                } else {
                    quoted.append(String.format(Locale.ROOT, point > 0xFFFF ? "\\U%08X" : "\\u%04X", point));
                }
            }
        }
    }

    private static boolean isVisible(int point) {
        if (point == ' ') {
            return true;
        }
        return switch (Character.getType(point)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.SPACE_SEPARATOR,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        };
    }
}
