package io.meridian.model.wire;

import io.meridian.model.policy.Choice;
import io.meridian.model.policy.Policy;
import io.meridian.model.rule.InvalidException;
import io.meridian.model.rule.Rules;
import io.meridian.model.rulebook.EntryKey;
import io.meridian.model.rulebook.Identifier;
import io.meridian.model.rulebook.ListKind;
import io.meridian.model.rulebook.Tier;

/**
 * The keys of the policies topic: {@code policy/api-default}, {@code override/api-default/user_id/42}. A slash or percent
 * sign within a part is escaped, so that no two entries share a key by the way their names happen to be spelled; an entry
 * has one spelling, or compaction would keep both.
 */
final class EntryKeyText {
    static final String POLICY = "policy";
    static final String TIER = "tier";
    static final String CLIENT_TIER = "client-tier";
    static final String OVERRIDE = "override";
    static final String ADAPTIVE = "adaptive";

    private EntryKeyText() {}

    static String write(EntryKey key) {
        if (key instanceof EntryKey.OfPolicy policy) {
            return join(POLICY, policy.id());
        }
        if (key instanceof EntryKey.OfTier tier) {
            return join(TIER, tier.name());
        }
        if (key instanceof EntryKey.OfClientTier client) {
            return join(
                    CLIENT_TIER, client.identifier().type(), client.identifier().value());
        }
        if (key instanceof EntryKey.OfOverride override) {
            Identifier client = override.identifier();
            return join(OVERRIDE, override.policy(), client.type(), client.value());
        }
        if (key instanceof EntryKey.OfList line) {
            Identifier client = line.identifier();
            return join(Choice.text(line.list()), client.type(), client.value());
        }
        return ADAPTIVE;
    }

    static EntryKey read(String text) {
        String[] parts = text.split("/", -1);
        for (int i = 0; i < parts.length; i++) {
            parts[i] = unescaped(parts[i]);
        }
        try {
            EntryKey key = read(parts, text);
            if (!write(key).equals(text)) {
                throw new WireException("record key must be spelled " + write(key) + ", got " + text);
            }
            return key;
        } catch (InvalidException invalid) {
            throw new WireException("record key " + text + ": " + invalid.getMessage(), invalid);
        }
    }

    private static EntryKey read(String[] parts, String text) {
        Rules rules = new Rules();
        if (parts[0].equals(ADAPTIVE) && parts.length == 1) {
            return new EntryKey.OfAdaptive();
        }
        if (parts[0].equals(POLICY) && parts.length == 2) {
            rules.require(Policy.isId(parts[1]), "id", parts[1], "must be the id of a policy")
                    .throwIfBroken();
            return new EntryKey.OfPolicy(parts[1]);
        }
        if (parts[0].equals(TIER) && parts.length == 2) {
            Tier.checkName(rules, "name", parts[1]);
            rules.throwIfBroken();
            return new EntryKey.OfTier(parts[1]);
        }
        if (parts[0].equals(CLIENT_TIER) && parts.length == 3) {
            return new EntryKey.OfClientTier(new Identifier(parts[1], parts[2]));
        }
        if (parts[0].equals(OVERRIDE) && parts.length == 4) {
            return new EntryKey.OfOverride(parts[1], new Identifier(parts[2], parts[3]));
        }
        return new EntryKey.OfList(
                Choice.find(ListKind.class, parts[0])
                        .filter(list -> parts.length == 3)
                        .orElseThrow(() -> new WireException("record key must be of a known kind, got " + text)),
                new Identifier(parts[1], parts[2]));
    }

    /** What a key is of, as far as this build knows: one of a few words, whatever the key is. */
    static String kind(String text) {
        int slash = text.indexOf('/');
        String kind = slash < 0 ? text : text.substring(0, slash);
        return switch (kind) {
            case POLICY, TIER, CLIENT_TIER, OVERRIDE, ADAPTIVE -> kind;
            default -> Choice.find(ListKind.class, kind).isPresent() ? kind : "unknown";
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
