package io.meridian.config.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.model.policy.Policy;
import io.meridian.model.policy.Revision;
import io.meridian.model.rule.Rules;
import io.meridian.model.rulebook.Entry;
import io.meridian.model.rulebook.ListKind;
import io.meridian.model.wire.EntryJson;
import io.meridian.model.wire.PolicyJson;
import java.util.List;
import java.util.Optional;

/**
 * JSON form of entries in the API. A document that was read may be sent back: fields that only this service sets are ignored.
 */
public final class EntryDocument {
    private static final List<String> SET_BY_SERVICE =
            List.of("version", "created_at", "updated_at", "created_by", "warnings");

    private EntryDocument() {}

    /** Reads an entry strictly. */
    public static Entry read(EntryKind kind, JsonNode document) {
        if (kind == EntryKind.POLICY) {
            return new Entry.OfPolicy(PolicyJson.read(withoutWarnings(document)).with(Revision.DRAFT));
        }
        if (!(document instanceof ObjectNode sent)) {
            return parse(kind, document);
        }
        ObjectNode own = sent.deepCopy();
        own.remove(SET_BY_SERVICE);
        Optional<JsonNode> id = Optional.ofNullable(own.remove("id"));
        Entry entry = parse(kind, own);
        id.ifPresent(given -> new Rules()
                .require(
                        given.asText().equals(EntryKind.id(entry.key())),
                        "id",
                        given.asText(),
                        "must be left out, or " + EntryKind.id(entry.key()))
                .throwIfBroken());
        return entry;
    }

    /** An answer to a change of a policy has the field warnings. */
    private static JsonNode withoutWarnings(JsonNode document) {
        return document instanceof ObjectNode sent && sent.has("warnings")
                ? sent.deepCopy().without("warnings")
                : document;
    }

    private static Entry parse(EntryKind kind, JsonNode document) {
        return switch (kind) {
            case POLICY -> new Entry.OfPolicy(PolicyJson.read(document));
            case TIER -> new Entry.OfTier(EntryJson.tier(document));
            case CLIENT_TIER -> new Entry.OfClientTier(EntryJson.clientTier(document));
            case OVERRIDE -> new Entry.OfOverride(EntryJson.override(document));
            case ALLOW -> new Entry.OfList(ListKind.ALLOW, EntryJson.listEntry(document));
            case DENY -> new Entry.OfList(ListKind.DENY, EntryJson.listEntry(document));
            case ADAPTIVE -> new Entry.OfAdaptive(EntryJson.adaptive(document));
        };
    }

    /** The entry alone, in its stored form. */
    public static ObjectNode document(Entry entry) {
        if (entry instanceof Entry.OfPolicy policy) {
            return PolicyJson.toJson(policy.policy());
        }
        if (entry instanceof Entry.OfTier tier) {
            return EntryJson.toJson(tier.tier());
        }
        if (entry instanceof Entry.OfClientTier client) {
            return EntryJson.toJson(client.clientTier());
        }
        if (entry instanceof Entry.OfOverride override) {
            return EntryJson.toJson(override.override());
        }
        if (entry instanceof Entry.OfList line) {
            return EntryJson.toJson(line.entry());
        }
        return EntryJson.toJson(((Entry.OfAdaptive) entry).table());
    }

    /** The answer form: the entry with its id, version, times and creator; a policy has them as limiters receive it. */
    public static ObjectNode write(StoredEntry stored) {
        if (stored.entry() instanceof Entry.OfPolicy) {
            return document(versioned(stored).entry());
        }
        ObjectNode json = JsonNodeFactory.instance.objectNode().put("id", stored.id());
        json.setAll(document(stored.entry()));
        return json.put("version", stored.version())
                .put("created_at", stored.createdAt().toString())
                .put("updated_at", stored.updatedAt().toString())
                .put("created_by", stored.createdBy().orElse(null));
    }

    /** A policy contains its version, by which limiters say which version decided. */
    static StoredEntry versioned(StoredEntry stored) {
        if (!(stored.entry() instanceof Entry.OfPolicy of)) {
            return stored;
        }
        Policy policy = of.policy().with(new Revision(stored.version(), stored.createdAt(), stored.updatedAt()));
        return new StoredEntry(
                new Entry.OfPolicy(policy),
                stored.version(),
                stored.createdAt(),
                stored.updatedAt(),
                stored.createdBy());
    }

    /** The entry without a version, for comparing contents. */
    static Entry unversioned(Entry entry) {
        return entry instanceof Entry.OfPolicy of
                ? new Entry.OfPolicy(of.policy().with(Revision.DRAFT))
                : entry;
    }
}
