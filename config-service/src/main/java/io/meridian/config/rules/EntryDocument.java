package io.meridian.config.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.model.policy.Policy;
import io.meridian.model.policy.Policy.Revision;
import io.meridian.model.rules.ListEntry.ListKind;
import io.meridian.model.rules.RuleEntry;
import io.meridian.model.validation.Validator;
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
    public static RuleEntry read(EntryKind kind, JsonNode document) {
        if (kind == EntryKind.POLICY) {
            return new RuleEntry.OfPolicy(
                    PolicyJson.read(withoutWarnings(document)).with(Revision.DRAFT));
        }
        if (!(document instanceof ObjectNode sent)) {
            return parse(kind, document);
        }
        ObjectNode own = sent.deepCopy();
        own.remove(SET_BY_SERVICE);
        Optional<JsonNode> id = Optional.ofNullable(own.remove("id"));
        RuleEntry entry = parse(kind, own);
        id.ifPresent(given -> new Validator()
                .require(
                        given.asText().equals(EntryKind.id(entry.key())),
                        "id",
                        given.asText(),
                        "must be left out, or " + EntryKind.id(entry.key()))
                .throwIfInvalid());
        return entry;
    }

    /** An answer to a change of a policy has the field warnings. */
    private static JsonNode withoutWarnings(JsonNode document) {
        return document instanceof ObjectNode sent && sent.has("warnings")
                ? sent.deepCopy().without("warnings")
                : document;
    }

    private static RuleEntry parse(EntryKind kind, JsonNode document) {
        return switch (kind) {
            case POLICY -> new RuleEntry.OfPolicy(PolicyJson.read(document));
            case TIER -> new RuleEntry.OfTier(EntryJson.tier(document));
            case CLIENT_TIER -> new RuleEntry.OfClientTier(EntryJson.clientTier(document));
            case OVERRIDE -> new RuleEntry.OfOverride(EntryJson.override(document));
            case ALLOW -> new RuleEntry.OfList(ListKind.ALLOW, EntryJson.listEntry(document));
            case DENY -> new RuleEntry.OfList(ListKind.DENY, EntryJson.listEntry(document));
            case ADAPTIVE -> new RuleEntry.OfAdaptive(EntryJson.adaptive(document));
        };
    }

    /** The entry alone, in its stored form. */
    public static ObjectNode document(RuleEntry entry) {
        if (entry instanceof RuleEntry.OfPolicy policy) {
            return PolicyJson.toJson(policy.policy());
        }
        if (entry instanceof RuleEntry.OfTier tier) {
            return EntryJson.toJson(tier.tier());
        }
        if (entry instanceof RuleEntry.OfClientTier client) {
            return EntryJson.toJson(client.clientTier());
        }
        if (entry instanceof RuleEntry.OfOverride override) {
            return EntryJson.toJson(override.override());
        }
        if (entry instanceof RuleEntry.OfList line) {
            return EntryJson.toJson(line.entry());
        }
        return EntryJson.toJson(((RuleEntry.OfAdaptive) entry).table());
    }

    /** The entry alone, as one that is yet to be stored. */
    public static ObjectNode draft(RuleEntry entry) {
        return document(unversioned(entry));
    }

    /** The answer form: the entry with its id, version, times and creator; a policy has them as limiters receive it. */
    public static ObjectNode write(StoredEntry stored) {
        if (stored.entry() instanceof RuleEntry.OfPolicy) {
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
        if (!(stored.entry() instanceof RuleEntry.OfPolicy of)) {
            return stored;
        }
        Policy policy = of.policy().with(new Revision(stored.version(), stored.createdAt(), stored.updatedAt()));
        return new StoredEntry(
                new RuleEntry.OfPolicy(policy),
                stored.version(),
                stored.createdAt(),
                stored.updatedAt(),
                stored.createdBy());
    }

    /** The entry without a version, for comparing contents. */
    static RuleEntry unversioned(RuleEntry entry) {
        return entry instanceof RuleEntry.OfPolicy of
                ? new RuleEntry.OfPolicy(of.policy().with(Revision.DRAFT))
                : entry;
    }
}
