package io.meridian.stack.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.model.rules.Identifier;
import io.meridian.model.rules.RuleEntry;
import io.meridian.stack.rules.RuleDiff.Difference;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** RuleDiff as a reviewer reads them. */
public final class DiffText {
    private static final String INDENT = "    ";
    private static final List<String> NAMING = List.of("id", "name", "policy", "identifier_type", "identifier");

    private DiffText() {}

    /** Writes a line per entry and field, and a summary. */
    public static void write(RuleDiff differences, boolean prune, PrintWriter out) {
        differences.all().forEach(difference -> write(difference, prune, out));
        if (differences.isEmpty()) {
            out.println("No difference.");
            return;
        }
        String removed = prune || differences.removed() == 0 ? " to remove." : " to remove, only with --prune.";
        out.println();
        out.println(differences.added() + " to add, " + differences.changed() + " to change, " + differences.removed()
                + removed);
    }

    private static void write(Difference difference, boolean prune, PrintWriter out) {
        String name = name(difference.key());
        if (difference instanceof Difference.Added added) {
            write(added.added().entry(), name, out);
        } else if (difference instanceof Difference.Changed changed) {
            out.println("~ " + name);
            Map<String, JsonNode> before = fields(Documents.whole(changed.before()));
            Map<String, JsonNode> after = fields(Documents.whole(changed.after().entry()));
            // In the order of the fields; one that only the second has comes last.
            Map<String, JsonNode> all = new LinkedHashMap<>(before);
            after.forEach(all::putIfAbsent);
            for (String field : all.keySet()) {
                if (!text(before.get(field)).equals(text(after.get(field)))) {
                    out.println(INDENT + field + ": " + text(before.get(field)) + " → " + text(after.get(field)));
                }
            }
        } else {
            out.println("- " + name + (prune ? "" : "  (only with --prune)"));
        }
    }

    private static void write(RuleEntry entry, String name, PrintWriter out) {
        ObjectNode document = Documents.brief(entry);
        if (entry instanceof RuleEntry.OfPolicy) {
            out.println("+ " + name);
            fields(document.without(List.of("id")))
                    .forEach((field, value) -> out.println(INDENT + field + ": " + text(value)));
            return;
        }
        ObjectNode rest =
                entry instanceof RuleEntry.OfTier ? document.without(List.of("name")) : document.without(NAMING);
        out.println("+ " + name + (rest.isEmpty() ? "" : " " + YamlText.of(rest)));
    }

    /** Warnings of the service. */
    public static void write(List<String> warnings, PrintWriter out) {
        warnings.forEach(warning -> out.println("Warning: " + warning));
    }

    /** Name of an entry for people: {@code override of per-user for user_id=42}. */
    static String name(RuleEntry.Key key) {
        if (key instanceof RuleEntry.Key.OfPolicy policy) {
            return "policy " + policy.id();
        } else if (key instanceof RuleEntry.Key.OfTier tier) {
            return "tier " + tier.name();
        } else if (key instanceof RuleEntry.Key.OfClientTier client) {
            return "client tier of " + name(client.identifier());
        } else if (key instanceof RuleEntry.Key.OfOverride override) {
            return "override of " + override.policy() + " for " + name(override.identifier());
        } else if (key instanceof RuleEntry.Key.OfList line) {
            return Section.of(line).kind() + " " + name(line.identifier());
        }
        return "adaptive table";
    }

    private static String name(Identifier identifier) {
        return identifier.type() + "=" + YamlText.of(identifier.value());
    }

    /** The fields of a document, those of its parts by their path. */
    private static Map<String, JsonNode> fields(ObjectNode document) {
        Map<String, JsonNode> fields = new LinkedHashMap<>();
        document.properties().forEach(field -> {
            if (field.getValue() instanceof ObjectNode part) {
                fields(part).forEach((name, value) -> fields.put(field.getKey() + "." + name, value));
            } else {
                fields.put(field.getKey(), field.getValue());
            }
        });
        return fields;
    }

    private static String text(@Nullable JsonNode value) {
        return value == null || value.isNull() ? "nothing" : YamlText.of(value);
    }
}
