package io.meridian.config.rulebook;

import io.meridian.model.rules.RuleEntry;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What is stored, as far as a set of changes touches it; read after the rulebook was locked.
 *
 * @param entries those the changes name, and those they refer to
 * @param policyVersions the highest version there ever was, of policies that the changes name
 * @param overrides all overrides of the policies that the changes delete
 * @param defaultTier the tier that is the default now
 * @param usedTiers those the changes delete, and that clients have whom the changes do not name
 * @param counts how many policies and tiers there are
 */
record Known(
        Map<RuleEntry.Key, Stored> entries,
        Map<String, Long> policyVersions,
        List<Stored> overrides,
        Optional<Stored> defaultTier,
        Set<String> usedTiers,
        Map<Kind, Long> counts) {
    static final Known NOTHING = new Known(Map.of(), Map.of(), List.of(), Optional.empty(), Set.of(), Map.of());
}
