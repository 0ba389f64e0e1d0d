package io.meridian.config.rules;

import com.fasterxml.jackson.databind.JsonNode;
import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.policy.Coordination.Mode;
import io.meridian.model.policy.Coordination.Scope;
import io.meridian.model.policy.Enforcement.Action;
import io.meridian.model.rules.Identifier;
import io.meridian.model.validation.EnumNames;
import io.meridian.model.validation.Validator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Filter of the entries of a kind by the values of fields.
 *
 * @param values by field; only fields that {@link #fields} names, because names become part of a statement
 */
public record EntryFilter(EntryKind kind, Map<String, String> values) {
    /** Beginning of the ids of the entries; no field of theirs. */
    static final String PREFIX = "prefix";

    /** The filter by the one tenant that a policy selects, which is no field of its own. */
    public static final String TENANT = "tenant";

    public EntryFilter {
        values = Map.copyOf(values);
        if (!fields(kind).containsAll(values.keySet())) {
            throw new IllegalArgumentException(kind + " is not filtered by " + values.keySet());
        }
        Validator rules = new Validator();
        values.forEach((field, value) -> check(rules, field, value));
        rules.throwIfInvalid();
    }

    /** A value that no entry can have is refused, because an empty answer would hide the mistake. */
    private static void check(Validator rules, String field, String value) {
        switch (field) {
            case "scope" -> one(rules, field, value, EnumNames.find(Scope.class, value), EnumNames.list(Scope.class));
            case "mode" -> one(rules, field, value, EnumNames.find(Mode.class, value), EnumNames.list(Mode.class));
            case "action" ->
                one(rules, field, value, EnumNames.find(Action.class, value), EnumNames.list(Action.class));
            case "algorithm" ->
                one(rules, field, value, EnumNames.find(Algorithm.class, value), EnumNames.list(Algorithm.class));
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

    private static void one(Validator rules, String field, String value, Optional<?> found, String all) {
        rules.require(found.isPresent(), field, value, "must be one of " + all);
    }

    /** The fields by which entries of a kind may be filtered. */
    public static Set<String> fields(EntryKind kind) {
        return switch (kind) {
            case POLICY -> Set.of(PREFIX, "scope", "mode", "algorithm", "action", "enabled", TENANT);
            case TIER -> Set.of(PREFIX, "default");
            case CLIENT_TIER -> Set.of(PREFIX, "identifier_type", "identifier", "tier");
            case OVERRIDE -> Set.of(PREFIX, "policy", "identifier_type", "identifier");
            case ALLOW, DENY -> Set.of(PREFIX, "identifier_type", "identifier");
            case ADAPTIVE -> Set.of();
        };
    }

    boolean holds(StoredEntry stored) {
        JsonNode document = EntryDocument.document(stored.entry());
        return values.entrySet().stream().allMatch(each -> switch (each.getKey()) {
            case PREFIX -> stored.id().startsWith(each.getValue());
            case TENANT -> TenantGuard.isOwn(stored, each.getValue());
            default -> document.path(each.getKey()).asText().equals(each.getValue());
        });
    }
}
