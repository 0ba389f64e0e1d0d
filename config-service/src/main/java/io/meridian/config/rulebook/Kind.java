package io.meridian.config.rulebook;

import io.meridian.model.rules.ListEntry.ListKind;
import io.meridian.model.rules.RuleEntry;
import java.util.Arrays;
import java.util.Optional;

/** The kinds of entries: what each is called, and its table. */
public enum Kind {
    POLICY("policy", "policies", "policy"),
    TIER("tier", "tiers", "tier"),
    CLIENT_TIER("client-tier", "client-tiers", "client_tier"),
    OVERRIDE("override", "overrides", "override"),
    ALLOW("allow", "allow-list", "allow_list"),
    DENY("deny", "deny-list", "deny_list"),
    ADAPTIVE("adaptive", "adaptive", "adaptive");

    private final String label;
    private final String collection;
    private final String table;

    Kind(String label, String collection, String table) {
        this.label = label;
        this.collection = collection;
        this.table = table;
    }

    /** What one is called in changes and in the audit trail. */
    public String label() {
        return label;
    }

    /** What they are called in paths. */
    public String collection() {
        return collection;
    }

    /** Where they are; also the only part of a statement that is not a constant. */
    public String table() {
        return table;
    }

    public static Optional<Kind> labelled(String label) {
        return Arrays.stream(values()).filter(kind -> kind.label.equals(label)).findFirst();
    }

    public static Kind of(RuleEntry.Key key) {
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
}
