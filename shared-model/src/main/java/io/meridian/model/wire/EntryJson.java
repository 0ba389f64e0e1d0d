package io.meridian.model.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.model.policy.AdaptiveTable;
import io.meridian.model.rule.InvalidException;
import io.meridian.model.rulebook.ClientTier;
import io.meridian.model.rulebook.LimitOverride;
import io.meridian.model.rulebook.ListEntry;
import io.meridian.model.rulebook.Tier;

/**
 * Tiers, overrides and lists as JSON: the form of the API and of files. Reading is strict: a field that does not exist is
 * a {@link MalformedException}, and everything else that is wrong is in one {@link InvalidException}.
 */
public final class EntryJson {
    private EntryJson() {}

    public static ListEntry listEntry(JsonNode document) {
        return EntryReader.listEntry(document, true);
    }

    public static LimitOverride override(JsonNode document) {
        return EntryReader.override(document, true);
    }

    public static ClientTier clientTier(JsonNode document) {
        return EntryReader.clientTier(document, true);
    }

    public static Tier tier(JsonNode document) {
        return EntryReader.tier(document, true);
    }

    /** Reads {@code {"steps": [{"load_percent", "limit_percent"}]}}. */
    public static AdaptiveTable adaptive(JsonNode document) {
        return EntryReader.adaptive(document, true);
    }

    public static ObjectNode toJson(ListEntry entry) {
        return EntryWriter.write(entry, json());
    }

    public static ObjectNode toJson(LimitOverride override) {
        return EntryWriter.write(override, json());
    }

    public static ObjectNode toJson(ClientTier client) {
        return EntryWriter.write(client, json());
    }

    public static ObjectNode toJson(Tier tier) {
        return EntryWriter.write(tier, json());
    }

    public static ObjectNode toJson(AdaptiveTable table) {
        return EntryWriter.write(table, json());
    }

    private static ObjectNode json() {
        return JsonNodeFactory.instance.objectNode();
    }
}
