package io.meridian.config.rules;

import io.meridian.model.policy.Policy;
import io.meridian.model.rule.Rules;
import io.meridian.model.rulebook.EntryKey;
import io.meridian.model.rulebook.Identifier;
import io.meridian.model.rulebook.ListKind;
import io.meridian.model.rulebook.Tier;

/**
 * The ids of entries in paths and cursors: {@code api-default}, {@code user_id:42}, {@code api-default:user_id:42}. Only the
 * last part may hold a colon, so an id is read in one way.
 */
public final class EntryIds {
    static final String ADAPTIVE = "adaptive";

    private EntryIds() {}

    public static String of(EntryKey key) {
        if (key instanceof EntryKey.OfPolicy policy) {
            return policy.id();
        }
        if (key instanceof EntryKey.OfTier tier) {
            return tier.name();
        }
        if (key instanceof EntryKey.OfClientTier client) {
            return of(client.identifier());
        }
        if (key instanceof EntryKey.OfOverride override) {
            return override.policy() + ":" + of(override.identifier());
        }
        if (key instanceof EntryKey.OfList line) {
            return of(line.identifier());
        }
        return ADAPTIVE;
    }

    private static String of(Identifier identifier) {
        return identifier.type() + ":" + identifier.value();
    }

    /** Reads an id; an address is brought to its canonical form. */
    public static EntryKey read(EntryKind kind, String id) {
        return switch (kind) {
            case POLICY -> {
                new Rules()
                        .require(Policy.isId(id), "id", id, "must be the id of a policy")
                        .throwIfBroken();
                yield new EntryKey.OfPolicy(id);
            }
            case TIER -> {
                Rules rules = new Rules();
                Tier.checkName(rules, "name", id);
                rules.throwIfBroken();
                yield new EntryKey.OfTier(id);
            }
            case CLIENT_TIER -> new EntryKey.OfClientTier(identifier(id, id));
            case OVERRIDE -> override(id);
            case ALLOW -> new EntryKey.OfList(ListKind.ALLOW, identifier(id, id));
            case DENY -> new EntryKey.OfList(ListKind.DENY, identifier(id, id));
            case ADAPTIVE -> {
                new Rules()
                        .require(id.equals(ADAPTIVE), "id", id, "must be " + ADAPTIVE)
                        .throwIfBroken();
                yield new EntryKey.OfAdaptive();
            }
        };
    }

    private static EntryKey override(String id) {
        int colon = id.indexOf(':');
        new Rules()
                .require(
                        colon > 0 && Policy.isId(id.substring(0, Math.max(0, colon))),
                        "id",
                        id,
                        "must be a policy, an identifier type and an identifier: policy:user_id:42")
                .throwIfBroken();
        return new EntryKey.OfOverride(id.substring(0, colon), identifier(id.substring(colon + 1), id));
    }

    private static Identifier identifier(String text, String id) {
        int colon = text.indexOf(':');
        if (colon < 0) {
            throw Rules.broken("id", id, "must have an identifier type before a colon: user_id:42");
        }
        return new Identifier(text.substring(0, colon), text.substring(colon + 1));
    }
}
