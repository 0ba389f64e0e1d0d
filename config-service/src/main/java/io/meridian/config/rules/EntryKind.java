package io.meridian.config.rules;

import io.meridian.model.policy.Policy;
import io.meridian.model.rules.Identifier;
import io.meridian.model.rules.ListEntry.ListKind;
import io.meridian.model.rules.RuleEntry;
import io.meridian.model.rules.Tier;
import io.meridian.model.validation.Validator;
import java.util.Arrays;
import java.util.Optional;

/**
 * Kinds of entries, with their names and the textual ids of their keys. Ids in paths and cursors are {@code api-default},
 * {@code user_id:42}, {@code api-default:user_id:42}: only the last part may hold a colon, so an id has one reading.
 */
public enum EntryKind {
    POLICY("policy", "policies", "policy"),
    TIER("tier", "tiers", "tier"),
    CLIENT_TIER("client-tier", "client-tiers", "client_tier"),
    OVERRIDE("override", "overrides", "override"),
    ALLOW("allow", "allow-list", "allow_list"),
    DENY("deny", "deny-list", "deny_list"),
    ADAPTIVE("adaptive", "adaptive", "adaptive");

    private static final String ADAPTIVE_ID = "adaptive";

    private final String label;
    private final String collection;
    private final String table;

    EntryKind(String label, String collection, String table) {
        this.label = label;
        this.collection = collection;
        this.table = table;
    }

    /** The name of one entry in changes and in the audit trail. */
    public String label() {
        return label;
    }

    /** The name of the collection in paths. */
    public String collection() {
        return collection;
    }

    /** The table; also the only part of a statement that is not a constant. */
    public String table() {
        return table;
    }

    public static Optional<EntryKind> labelled(String label) {
        return Arrays.stream(values()).filter(kind -> kind.label.equals(label)).findFirst();
    }

    public static EntryKind of(RuleEntry.Key key) {
        if (key instanceof RuleEntry.Key.OfPolicy) {
            return POLICY;
        }
        if (key instanceof RuleEntry.Key.OfTier) {
            return TIER;
        }
        if (key instanceof RuleEntry.Key.OfClientTier) {
            return CLIENT_TIER;
        }
        if (key instanceof RuleEntry.Key.OfOverride) {
            return OVERRIDE;
        }
        if (key instanceof RuleEntry.Key.OfList line) {
            return line.list() == ListKind.ALLOW ? ALLOW : DENY;
        }
        return ADAPTIVE;
    }

    /** Kind and id, for messages: {@code policy api-default}. */
    public static String describe(RuleEntry.Key key) {
        return of(key).label + " " + id(key);
    }

    public static String id(RuleEntry.Key key) {
        if (key instanceof RuleEntry.Key.OfPolicy policy) {
            return policy.id();
        }
        if (key instanceof RuleEntry.Key.OfTier tier) {
            return tier.name();
        }
        if (key instanceof RuleEntry.Key.OfClientTier client) {
            return id(client.identifier());
        }
        if (key instanceof RuleEntry.Key.OfOverride override) {
            return override.policy() + ":" + id(override.identifier());
        }
        if (key instanceof RuleEntry.Key.OfList line) {
            return id(line.identifier());
        }
        return ADAPTIVE_ID;
    }

    private static String id(Identifier identifier) {
        return identifier.type() + ":" + identifier.value();
    }

    /** Parses an id; an address is brought to its canonical form. */
    public RuleEntry.Key key(String id) {
        return switch (this) {
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
                        .require(id.equals(ADAPTIVE_ID), "id", id, "must be " + ADAPTIVE_ID)
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
