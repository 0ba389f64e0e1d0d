package io.meridian.model.rulebook;

import io.meridian.model.rule.Rules;

/** The tier of one client. */
public record ClientTier(Identifier identifier, String tier) {
    public ClientTier {
        Rules rules = new Rules();
        Tier.checkName(rules, "tier", tier);
        rules.throwIfBroken();
    }
}
