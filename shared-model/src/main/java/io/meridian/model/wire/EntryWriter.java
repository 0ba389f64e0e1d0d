package io.meridian.model.wire;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.model.policy.AdaptiveTable;
import io.meridian.model.rulebook.ClientTier;
import io.meridian.model.rulebook.Expiry;
import io.meridian.model.rulebook.Identifier;
import io.meridian.model.rulebook.LimitOverride;
import io.meridian.model.rulebook.ListEntry;
import io.meridian.model.rulebook.Tier;

/** Writes the entries of a rulebook that are not policies, whole and in one order of fields. */
final class EntryWriter {
    private EntryWriter() {}

    static ObjectNode write(ListEntry entry, ObjectNode json) {
        writeIdentifier(entry.identifier(), json).put("reason", entry.reason());
        return writeExpiry(entry.expiry(), json);
    }

    static ObjectNode write(LimitOverride override, ObjectNode json) {
        writeIdentifier(override.identifier(), json.put("policy", override.policy()))
                .put("limit", override.limit())
                .put("burst", override.burst());
        return writeExpiry(override.expiry(), json);
    }

    static ObjectNode write(ClientTier client, ObjectNode json) {
        return writeIdentifier(client.identifier(), json).put("tier", client.tier());
    }

    static ObjectNode write(Tier tier, ObjectNode json) {
        json.put("name", tier.name()).put("description", tier.description()).put("default", tier.isDefault());
        tier.upgradeUrl().ifPresent(url -> json.put("upgrade_url", url));
        return json;
    }

    static ObjectNode write(AdaptiveTable table, ObjectNode json) {
        ArrayNode steps = json.putArray("steps");
        table.steps().forEach(step -> steps.addObject()
                .put("load_percent", step.loadPercent())
                .put("limit_percent", step.limitPercent()));
        return json;
    }

    private static ObjectNode writeIdentifier(Identifier identifier, ObjectNode json) {
        return json.put("identifier_type", identifier.type()).put("identifier", identifier.value());
    }

    private static ObjectNode writeExpiry(Expiry expiry, ObjectNode json) {
        return expiry.time()
                .map(time -> json.put("expires_at", time.toString()))
                .orElseGet(() -> json.putNull("expires_at"));
    }
}
