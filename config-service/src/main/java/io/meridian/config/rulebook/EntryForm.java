package io.meridian.config.rulebook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.model.policy.Policy.Revision;
import io.meridian.model.policy.Policy;
import io.meridian.model.rules.ListEntry.ListKind;
import io.meridian.model.rules.RuleEntry;
import io.meridian.model.validation.Validator;
import io.meridian.model.wire.EntryJson;
import io.meridian.model.wire.PolicyJson;
import java.util.List;
import java.util.Optional;

/** Entries as the API writes and reads them. What was read may be sent back: what only the service sets is passed over. */
public final class EntryForm {
    private static final List<String> SET_BY_US =
            List.of("version", "created_at", "updated_at", "created_by", "warnings");

    private EntryForm() {}

    /** Reads an entry strictly. */
    public static RuleEntry read(Kind kind, JsonNode document) {
        if (kind == Kind.POLICY) {
            return new RuleEntry.OfPolicy(PolicyJson.read(withoutWarnings(document)).with(Revision.DRAFT));
        }
        if (!(document instanceof ObjectNode sent)) {
            return parse(kind, document);
        }
        ObjectNode own = sent.deepCopy();
        own.remove(SET_BY_US);
        Optional<JsonNode> id = Optional.ofNullable(own.remove("id"));
        RuleEntry entry = parse(kind, own);
        id.ifPresent(given -> new Validator()
                .require(
                        given.asText().equals(EntryIds.of(entry.key())),
                        "id",
                        given.asText(),
                        "must be left out, or " + EntryIds.of(entry.key()))
                .throwIfInvalid());
        return entry;
    }

    /** Answers to changes of policies have warnings, too. */
    private static JsonNode withoutWarnings(JsonNode document) {
        return document instanceof ObjectNode sent && sent.has("warnings")
                ? sent.deepCopy().without("warnings")
                : document;
    }

    private static RuleEntry parse(Kind kind, JsonNode document) {
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

    /** The entry alone, as it is stored. */
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

    /** The stored form: the entry, its id, its version, its times and who created it; a policy is as limiters have it. */
    public static ObjectNode write(Stored stored) {
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

    /** A policy carries its version within; limiters tell by it which one decided. */
    static Stored versioned(Stored stored) {
        if (!(stored.entry() instanceof RuleEntry.OfPolicy of)) {
            return stored;
        }
        Policy policy = of.policy().with(new Revision(stored.version(), stored.createdAt(), stored.updatedAt()));
        return new Stored(
                new RuleEntry.OfPolicy(policy),
                stored.version(),
                stored.createdAt(),
                stored.updatedAt(),
                stored.createdBy());
    }

    /** The same without a version: what two contents are compared by. */
    static RuleEntry unversioned(RuleEntry entry) {
        return entry instanceof RuleEntry.OfPolicy of
                ? new RuleEntry.OfPolicy(of.policy().with(Revision.DRAFT))
                : entry;
    }
}
