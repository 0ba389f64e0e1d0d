package io.meridian.model.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.model.policy.Policy;
import io.meridian.model.rules.Identifier;
import io.meridian.model.rules.ListEntry.ListKind;
import io.meridian.model.rules.RuleEntry;
import io.meridian.model.rules.Tier;
import io.meridian.model.validation.EnumNames;
import io.meridian.model.validation.ValidationException;
import io.meridian.model.validation.Validator;
import org.jspecify.annotations.Nullable;

/**
 * Records of the policies topic: the key by which it is compacted, and the entry as JSON with the version of the format first; no value
 * removes. Reading ignores fields that it does not know, as {@link PolicyJson#decode}.
 *
 * <p>Keys read {@code policy/api-default}, {@code override/api-default/user_id/42}. A slash or percent sign within a part is escaped, so that
 * no two entries share a key by the way their names happen to be spelled; an entry has one spelling, or compaction would keep both.
 */
public final class EntryCodec {
    private static final String POLICY = "policy";
    private static final String TIER = "tier";
    private static final String CLIENT_TIER = "client-tier";
    private static final String OVERRIDE = "override";
    private static final String ADAPTIVE = "adaptive";

    private EntryCodec() {}

    public static String value(RuleEntry entry) {
        if (entry instanceof RuleEntry.OfPolicy policy) {
            return PolicyJson.encode(policy.policy());
        }
        ObjectNode record = JsonFields.newRecord();
        if (entry instanceof RuleEntry.OfTier tier) {
            EntryJson.write(tier.tier(), record);
        } else if (entry instanceof RuleEntry.OfClientTier client) {
            EntryJson.write(client.clientTier(), record);
        } else if (entry instanceof RuleEntry.OfOverride override) {
            EntryJson.write(override.override(), record);
        } else if (entry instanceof RuleEntry.OfList line) {
            EntryJson.write(line.entry(), record);
        } else if (entry instanceof RuleEntry.OfAdaptive adaptive) {
            EntryJson.write(adaptive.table(), record);
        }
        return record.toString();
    }

    /** Reads a record; a {@link WireException} says why it cannot be read. */
    public static RuleEntry.Change decode(String key, @Nullable String value) {
        RuleEntry.Key entryKey = readKey(key);
        if (value == null) {
            return new RuleEntry.Change.Removed(entryKey);
        }
        try {
            RuleEntry entry = entry(entryKey, value);
            if (!entry.key().equals(entryKey)) {
                throw new WireException("record " + key + " must not be of " + key(entry.key()));
            }
            return new RuleEntry.Change.Put(entry);
        } catch (ValidationException | MalformedException unreadable) {
            throw new WireException("record " + key + ": " + unreadable.getMessage(), unreadable);
        }
    }

    private static RuleEntry entry(RuleEntry.Key key, String value) {
        if (key instanceof RuleEntry.Key.OfPolicy) {
            return new RuleEntry.OfPolicy(PolicyJson.decode(value));
        }
        JsonNode record = JsonFields.record("record", value);
        if (key instanceof RuleEntry.Key.OfTier) {
            return new RuleEntry.OfTier(EntryJson.tier(record, false));
        }
        if (key instanceof RuleEntry.Key.OfClientTier) {
            return new RuleEntry.OfClientTier(EntryJson.clientTier(record, false));
        }
        if (key instanceof RuleEntry.Key.OfOverride) {
            return new RuleEntry.OfOverride(EntryJson.override(record, false));
        }
        if (key instanceof RuleEntry.Key.OfList line) {
            return new RuleEntry.OfList(line.list(), EntryJson.listEntry(record, false));
        }
        return new RuleEntry.OfAdaptive(EntryJson.adaptive(record, false));
    }

    public static String key(RuleEntry.Key key) {
        if (key instanceof RuleEntry.Key.OfPolicy policy) {
            return join(POLICY, policy.id());
        }
        if (key instanceof RuleEntry.Key.OfTier tier) {
            return join(TIER, tier.name());
        }
        if (key instanceof RuleEntry.Key.OfClientTier client) {
            return join(
                    CLIENT_TIER, client.identifier().type(), client.identifier().value());
        }
        if (key instanceof RuleEntry.Key.OfOverride override) {
            Identifier client = override.identifier();
            return join(OVERRIDE, override.policy(), client.type(), client.value());
        }
        if (key instanceof RuleEntry.Key.OfList line) {
            Identifier client = line.identifier();
            return join(EnumNames.text(line.list()), client.type(), client.value());
        }
        return ADAPTIVE;
    }

    private static RuleEntry.Key readKey(String text) {
        String[] parts = text.split("/", -1);
        for (int i = 0; i < parts.length; i++) {
            parts[i] = unescaped(parts[i]);
        }
        try {
            RuleEntry.Key key = readKey(parts, text);
            if (!key(key).equals(text)) {
                throw new WireException("record key must be spelled " + key(key) + ", got " + text);
            }
            return key;
        } catch (ValidationException invalid) {
            throw new WireException("record key " + text + ": " + invalid.getMessage(), invalid);
        }
    }

    private static RuleEntry.Key readKey(String[] parts, String text) {
        Validator rules = new Validator();
        if (parts[0].equals(ADAPTIVE) && parts.length == 1) {
            return new RuleEntry.Key.OfAdaptive();
        }
        if (parts[0].equals(POLICY) && parts.length == 2) {
            rules.require(Policy.isId(parts[1]), "id", parts[1], "must be the id of a policy")
                    .throwIfInvalid();
            return new RuleEntry.Key.OfPolicy(parts[1]);
        }
        if (parts[0].equals(TIER) && parts.length == 2) {
            Tier.checkName(rules, "name", parts[1]);
            rules.throwIfInvalid();
            return new RuleEntry.Key.OfTier(parts[1]);
        }
        if (parts[0].equals(CLIENT_TIER) && parts.length == 3) {
            return new RuleEntry.Key.OfClientTier(new Identifier(parts[1], parts[2]));
        }
        if (parts[0].equals(OVERRIDE) && parts.length == 4) {
            return new RuleEntry.Key.OfOverride(parts[1], new Identifier(parts[2], parts[3]));
        }
        return new RuleEntry.Key.OfList(
                EnumNames.find(ListKind.class, parts[0])
                        .filter(list -> parts.length == 3)
                        .orElseThrow(() -> new WireException("record key must be of a known kind, got " + text)),
                new Identifier(parts[1], parts[2]));
    }

    /** The kind of a record by its key, as far as this build knows: one of a few words, whatever the key is. */
    public static String kind(String text) {
        int slash = text.indexOf('/');
        String kind = slash < 0 ? text : text.substring(0, slash);
        return switch (kind) {
            case POLICY, TIER, CLIENT_TIER, OVERRIDE, ADAPTIVE -> kind;
            default -> EnumNames.find(ListKind.class, kind).isPresent() ? kind : "unknown";
        };
    }

    private static String join(String... parts) {
        StringBuilder text = new StringBuilder(parts[0]);
        for (int i = 1; i < parts.length; i++) {
            text.append('/').append(parts[i].replace("%", "%25").replace("/", "%2F"));
        }
        return text.toString();
    }

    private static String unescaped(String part) {
        return part.indexOf('%') < 0 ? part : part.replace("%2F", "/").replace("%25", "%");
    }
}
