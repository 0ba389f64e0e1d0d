package io.meridian.stack.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.model.rules.Identifier;
import io.meridian.model.rules.RuleEntry;
import io.meridian.model.wire.EntryJson;
import io.meridian.model.wire.PolicyJson;
import java.util.List;
import java.util.Set;

/** Entries as documents: what a user sets, and nothing of what the service keeps about them. */
final class Documents {
    private static final List<String> KEPT_BY_THE_SERVICE = List.of("version", "created_at", "updated_at");
    private static final Set<String> REQUIRED = Set.of("id", "key", "algorithm", "limit", "window");
    private static final ObjectNode DEFAULTS = PolicyJson.toJson(PolicyJson.read(
            "{\"id\": \"any\", \"key\": [], \"algorithm\": \"fixed_window\", \"limit\": 1, \"window\": \"1s\"}"));

    private Documents() {}

    /** With every field, in one order. */
    static ObjectNode whole(RuleEntry entry) {
        if (entry instanceof RuleEntry.OfPolicy policy) {
            return PolicyJson.toJson(policy.policy()).remove(KEPT_BY_THE_SERVICE);
        } else if (entry instanceof RuleEntry.OfTier tier) {
            return EntryJson.toJson(tier.tier());
        } else if (entry instanceof RuleEntry.OfClientTier client) {
            return EntryJson.toJson(client.clientTier());
        } else if (entry instanceof RuleEntry.OfOverride override) {
            return EntryJson.toJson(override.override());
        } else if (entry instanceof RuleEntry.OfList line) {
            return EntryJson.toJson(line.entry());
        }
        return EntryJson.toJson(((RuleEntry.OfAdaptive) entry).table());
    }

    /** Without the fields that say what holds anyway. */
    static ObjectNode brief(RuleEntry entry) {
        ObjectNode whole = whole(entry);
        ObjectNode brief = JsonNodeFactory.instance.objectNode();
        boolean isPolicy = entry instanceof RuleEntry.OfPolicy;
        whole.properties().forEach(field -> {
            JsonNode value = field.getValue();
            boolean isDefault = isPolicy
                    ? !REQUIRED.contains(field.getKey()) && value.equals(DEFAULTS.get(field.getKey()))
                    : saysNothing(value);
            if (!isDefault) {
                brief.set(field.getKey(), isPolicy ? withoutEmpty(value) : value);
            }
        });
        return brief;
    }

    /** Parts of a policy's parts: an empty selector, a cost for any method. */
    private static JsonNode withoutEmpty(JsonNode value) {
        if (value instanceof ObjectNode object) {
            object.properties().removeIf(field -> saysNothing(field.getValue()));
        } else {
            value.forEach(Documents::withoutEmpty);
        }
        return value;
    }

    private static boolean saysNothing(JsonNode value) {
        return value.isNull()
                || (value.isContainerNode() && value.isEmpty())
                || (value.isTextual() && value.textValue().isEmpty())
                || (value.isBoolean() && !value.booleanValue())
                || (value.isIntegralNumber() && value.longValue() == 0);
    }

    /** As the admin API names an entry in its paths. */
    static String id(RuleEntry.Key key) {
        if (key instanceof RuleEntry.Key.OfPolicy policy) {
            return policy.id();
        } else if (key instanceof RuleEntry.Key.OfTier tier) {
            return tier.name();
        } else if (key instanceof RuleEntry.Key.OfClientTier client) {
            return id(client.identifier());
        } else if (key instanceof RuleEntry.Key.OfOverride override) {
            return override.policy() + ":" + id(override.identifier());
        } else if (key instanceof RuleEntry.Key.OfList line) {
            return id(line.identifier());
        }
        return Section.ADAPTIVE.kind();
    }

    private static String id(Identifier identifier) {
        return identifier.type() + ":" + identifier.value();
    }
}
