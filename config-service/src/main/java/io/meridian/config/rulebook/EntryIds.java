package io.meridian.config.rulebook;

import io.meridian.model.policy.Policy;
import io.meridian.model.rules.Identifier;
import io.meridian.model.rules.ListEntry.ListKind;
import io.meridian.model.rules.RuleEntry;
import io.meridian.model.rules.Tier;
import io.meridian.model.validation.Validator;

/**
 * The ids of entries in paths and cursors: {@code api-default}, {@code user_id:42}, {@code api-default:user_id:42}. Only the
 * last part may hold a colon, so an id is read in one way.
 */
public final class EntryIds {
    static final String ADAPTIVE = "adaptive";

    private EntryIds() {}

    public static String of(RuleEntry.Key key) {
        if (key instanceof RuleEntry.Key.OfPolicy policy) {
            return policy.id();
        }
        if (key instanceof RuleEntry.Key.OfTier tier) {
            return tier.name();
        }
        if (key instanceof RuleEntry.Key.OfClientTier client) {
            return of(client.identifier());
        }
        if (key instanceof RuleEntry.Key.OfOverride override) {
            return override.policy() + ":" + of(override.identifier());
        }
        if (key instanceof RuleEntry.Key.OfList line) {
            return of(line.identifier());
        }
        return ADAPTIVE;
    }

    private static String of(Identifier identifier) {
        return identifier.type() + ":" + identifier.value();
    }

    /** Reads an id; an address is brought to its canonical form. */
    public static RuleEntry.Key read(Kind kind, String id) {
        return switch (kind) {
            case POLICY -> {
                new Validator()
                        .require(Policy.isId(id), "id", id, "must be the id of a policy")
                        .throwIfInvalid();
                yield new RuleEntry.Key.OfPolicy(id);
            }
            case TIER -> {
                Validator rules = new Validator();
                Tier.checkName(rules, "name", id);
                rules.throwIfInvalid();
                yield new RuleEntry.Key.OfTier(id);
            }
            case CLIENT_TIER -> new RuleEntry.Key.OfClientTier(identifier(id, id));
            case OVERRIDE -> override(id);
            case ALLOW -> new RuleEntry.Key.OfList(ListKind.ALLOW, identifier(id, id));
            case DENY -> new RuleEntry.Key.OfList(ListKind.DENY, identifier(id, id));
            case ADAPTIVE -> {
                new Validator()
                        .require(id.equals(ADAPTIVE), "id", id, "must be " + ADAPTIVE)
                        .throwIfInvalid();
                yield new RuleEntry.Key.OfAdaptive();
            }
        };
    }

    private static RuleEntry.Key override(String id) {
        int colon = id.indexOf(':');
        new Validator()
                .require(
                        colon > 0 && Policy.isId(id.substring(0, Math.max(0, colon))),
                        "id",
                        id,
                        "must be a policy, an identifier type and an identifier: policy:user_id:42")
                .throwIfInvalid();
        return new RuleEntry.Key.OfOverride(id.substring(0, colon), identifier(id.substring(colon + 1), id));
    }

    private static Identifier identifier(String text, String id) {
        int colon = text.indexOf(':');
        if (colon < 0) {
            throw Validator.invalid("id", id, "must have an identifier type before a colon: user_id:42");
        }
        return new Identifier(text.substring(0, colon), text.substring(colon + 1));
    }
}
