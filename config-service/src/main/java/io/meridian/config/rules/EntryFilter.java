package io.meridian.config.rules;

import com.fasterxml.jackson.databind.JsonNode;
import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.policy.Action;
import io.meridian.model.policy.Choice;
import io.meridian.model.policy.Mode;
import io.meridian.model.policy.Scope;
import io.meridian.model.rule.Rules;
import io.meridian.model.rulebook.Identifier;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Filter of the entries of a kind by the values of fields.
 *
 * @param values by field; only fields that {@link #fields} names, because names become part of a statement
 */
public record EntryFilter(EntryKind kind, Map<String, String> values) {
    public EntryFilter {
        values = Map.copyOf(values);
        if (!fields(kind).containsAll(values.keySet())) {
            throw new IllegalArgumentException(kind + " is not filtered by " + values.keySet());
        }
        Rules rules = new Rules();
        values.forEach((field, value) -> check(rules, field, value));
        rules.throwIfBroken();
    }

    /** A value that no entry can have is refused, because an empty answer would hide the mistake. */
    private static void check(Rules rules, String field, String value) {
        switch (field) {
            case "scope" -> one(rules, field, value, Choice.find(Scope.class, value), Choice.list(Scope.class));
            case "mode" -> one(rules, field, value, Choice.find(Mode.class, value), Choice.list(Mode.class));
            case "action" -> one(rules, field, value, Choice.find(Action.class, value), Choice.list(Action.class));
            case "algorithm" ->
                one(rules, field, value, Choice.find(Algorithm.class, value), Choice.list(Algorithm.class));
            case "enabled", "default" ->
                rules.require(Set.of("true", "false").contains(value), field, value, "must be true or false");
            case "identifier_type" ->
                rules.require(
                        Identifier.isType(value),
                        field,
                        value,
                        "must be an attribute, as user_id, api_key, ip or tenant");
            default -> {}
        }
    }

    private static void one(Rules rules, String field, String value, Optional<?> found, String all) {
        rules.require(found.isPresent(), field, value, "must be one of " + all);
    }

    /** The fields by which entries of a kind may be filtered. */
    public static Set<String> fields(EntryKind kind) {
        return switch (kind) {
            case POLICY -> Set.of("scope", "mode", "algorithm", "action", "enabled");
            case TIER -> Set.of("default");
            case CLIENT_TIER -> Set.of("identifier_type", "identifier", "tier");
            case OVERRIDE -> Set.of("policy", "identifier_type", "identifier");
            case ALLOW, DENY -> Set.of("identifier_type", "identifier");
            case ADAPTIVE -> Set.of();
        };
    }

    boolean holds(StoredEntry stored) {
        JsonNode document = EntryDocument.document(stored.entry());
        return values.entrySet().stream()
                .allMatch(each -> document.path(each.getKey()).asText().equals(each.getValue()));
    }
}
