package io.meridian.config.rulebook;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.Set;

/**
 * Which entries of a kind are asked for: those whose fields have these values.
 *
 * @param values by field; only fields that {@link #fields} names, because they become part of a statement
 */
public record Filter(Kind kind, Map<String, String> values) {
    public Filter {
        values = Map.copyOf(values);
        if (!fields(kind).containsAll(values.keySet())) {
            throw new IllegalArgumentException(kind + " is not filtered by " + values.keySet());
        }
    }

    /** What entries of a kind may be filtered by. */
    public static Set<String> fields(Kind kind) {
        return switch (kind) {
            case POLICY -> Set.of("scope", "mode", "algorithm", "action", "enabled");
            case TIER -> Set.of("default");
            case CLIENT_TIER -> Set.of("identifier_type", "identifier", "tier");
            case OVERRIDE -> Set.of("policy", "identifier_type", "identifier");
            case ALLOW, DENY -> Set.of("identifier_type", "identifier");
            case ADAPTIVE -> Set.of();
        };
    }

    boolean holds(Stored stored) {
        JsonNode document = EntryForm.document(stored.entry());
        return values.entrySet().stream()
                .allMatch(each -> document.path(each.getKey()).asText().equals(each.getValue()));
    }
}
